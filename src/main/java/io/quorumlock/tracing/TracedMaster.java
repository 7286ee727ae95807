// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.DbAttributes;
import io.opentelemetry.semconv.ErrorAttributes;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.redlock.LockMaster.ScanStep;
import io.quorumlock.redlock.MasterReply;
import io.quorumlock.redlock.RestoreCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The decorator of a master that makes each command a span of its round, also if the reply is late. The handler of the
 * reply runs in the trace context of the round, so that following commands and exemplars belong to the same trace.
 */
final class TracedMaster implements LockMaster {
    static final AttributeKey<String> MASTER = AttributeKey.stringKey("quorumlock.node");
    static final AttributeKey<String> VOTE = AttributeKey.stringKey("quorumlock.vote");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("quorumlock.reason");

    private final LockMaster master;
    private final Tracer tracer;

    TracedMaster(LockMaster master, Tracer tracer) {
        this.master = master;
        this.tracer = tracer;
    }

    @Override
    public String alias() {
        return master.alias();
    }

    @Override
    public OptionalLong wallClock() {
        return master.wallClock();
    }

    @Override
    public void acquire(AcquireCommand command, Consumer<MasterReply> reply) {
        master.acquire(command, traced("acquire", reply));
    }

    @Override
    public void extend(ResourceNames resources, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        master.extend(resources, token, ttl, traced("extend", reply));
    }

    @Override
    public void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        master.raise(resources, token, fence, traced("raise", reply));
    }

    @Override
    public void restore(RestoreCommand command, Optional<Duration> permission, Consumer<MasterReply> reply) {
        master.restore(command, permission, traced("restore", reply));
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        master.release(condition, traced("release", reply));
    }

    @Override
    public void inspect(ResourceName resource, Consumer<MasterReply> reply) {
        master.inspect(resource, traced("inspect", reply));
    }

    /** Scans without a span: a list needs many scans, and is one span itself. */
    @Override
    public void scan(ScanStep step, Consumer<MasterReply> reply) {
        master.scan(step, reply);
    }

    /** Adds a span, unless the round is not sampled or the command is a clean-up outside a round. */
    private Consumer<MasterReply> traced(String script, Consumer<MasterReply> reply) {
        Context round = TraceContext.current();
        if (!Span.fromContext(round).getSpanContext().isSampled()) {
            return reply;
        }
        Span span = start(script, round);
        return answer -> {
            end(span, answer);
            TraceContext.run(round, () -> reply.accept(answer));
        };
    }

    private Span start(String script, Context round) {
        return tracer.spanBuilder("EVALSHA " + script)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(round)
                .setAttribute(DbAttributes.DB_SYSTEM_NAME, "redis")
                .setAttribute(DbAttributes.DB_OPERATION_NAME, "EVALSHA")
                .setAttribute(DbAttributes.DB_STORED_PROCEDURE_NAME, script)
                .setAttribute(MASTER, master.alias())
                .startSpan();
    }

    private static void end(Span span, MasterReply reply) {
        span.setAttribute(VOTE, reply.label());
        if (reply instanceof MasterReply.Failed failed) {
            String reason = failed.reason().label();
            span.setAttribute(REASON, reason);
            span.setAttribute(ErrorAttributes.ERROR_TYPE, reason);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
