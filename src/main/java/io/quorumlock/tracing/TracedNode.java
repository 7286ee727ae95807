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
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The decorator of a node that makes each command a span of its round, also if the reply is late. The handler of the
 * reply runs in the trace context of the round, so that following commands and exemplars belong to the same trace.
 */
final class TracedNode implements LockNode {
    static final AttributeKey<String> NODE = AttributeKey.stringKey("quorumlock.node");
    static final AttributeKey<String> VOTE = AttributeKey.stringKey("quorumlock.vote");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("quorumlock.reason");

    private final LockNode node;
    private final Tracer tracer;

    TracedNode(LockNode node, Tracer tracer) {
        this.node = node;
        this.tracer = tracer;
    }

    @Override
    public String alias() {
        return node.alias();
    }

    @Override
    public OptionalLong wallClock() {
        return node.wallClock();
    }

    @Override
    public void acquire(AcquireCommand command, Consumer<NodeReply> reply) {
        node.acquire(command, traced("acquire", reply));
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
        node.extend(resource, token, ttl, traced("extend", reply));
    }

    @Override
    public void raise(ResourceName resource, LeaseToken token, FencingToken fence, Consumer<NodeReply> reply) {
        node.raise(resource, token, fence, traced("raise", reply));
    }

    @Override
    public void release(DeleteCondition condition, Consumer<NodeReply> reply) {
        node.release(condition, traced("release", reply));
    }

    @Override
    public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
        node.inspect(resource, traced("inspect", reply));
    }

    /** Scans without a span: a list needs many scans, and is one span itself. */
    @Override
    public void scan(ScanStep step, Consumer<NodeReply> reply) {
        node.scan(step, reply);
    }

    /** Adds a span, unless the round is not sampled or the command is a clean-up outside a round. */
    private Consumer<NodeReply> traced(String script, Consumer<NodeReply> reply) {
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
                .setAttribute(NODE, node.alias())
                .startSpan();
    }

    private static void end(Span span, NodeReply reply) {
        span.setAttribute(VOTE, reply.label());
        if (reply instanceof NodeReply.Failed failed) {
            String reason = failed.reason().name().toLowerCase(Locale.ROOT);
            span.setAttribute(REASON, reason);
            span.setAttribute(ErrorAttributes.ERROR_TYPE, reason);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
