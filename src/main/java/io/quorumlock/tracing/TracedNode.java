package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.ScanStep;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Makes each command to one node a span of its round, the late ones too: each is answered exactly once. What follows from an
 * answer, be it the next command or what is measured, happens in the round's name.
 */
final class TracedNode implements LockNode {
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
    public void acquire(AcquireCommand claim, Consumer<NodeReply> reply) {
        node.acquire(claim, traced("acquire", reply));
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
        node.extend(resource, token, ttl, traced("extend", reply));
    }

    @Override
    public void raise(DeleteCondition condition, FencingToken fence, Consumer<NodeReply> reply) {
        node.raise(condition, fence, traced("raise", reply));
    }

    @Override
    public void release(DeleteCondition condition, Consumer<NodeReply> reply) {
        node.release(condition, traced("release", reply));
    }

    @Override
    public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
        node.inspect(resource, traced("inspect", reply));
    }

    /** A list reads any number of names, and is one span: what follows from a scan is in nobody's name. */
    @Override
    public void scan(ScanStep step, Consumer<NodeReply> reply) {
        node.scan(step, reply);
    }

    /** Leaves alone what nobody will see: rounds that were not chosen, and what is cleaned up later in nobody's name. */
    private Consumer<NodeReply> traced(String script, Consumer<NodeReply> reply) {
        Context round = Context.current();
        if (!Span.fromContext(round).getSpanContext().isSampled()) {
            return reply;
        }
        Span span = start(script, round);
        return round.wrapConsumer(said -> {
            end(span, said);
            reply.accept(said);
        });
    }

    private Span start(String script, Context round) {
        return tracer.spanBuilder("EVALSHA " + script)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(round)
                .setAttribute(Keys.DATABASE, "redis")
                .setAttribute(Keys.OPERATION, "EVALSHA")
                .setAttribute(Keys.SCRIPT, script)
                .setAttribute(Keys.NODE, node.alias())
                .startSpan();
    }

    private static void end(Span span, NodeReply said) {
        span.setAttribute(Keys.VOTE, Words.of(said));
        if (said instanceof NodeReply.Failed failed) {
            String reason = Words.of(failed.reason());
            span.setAttribute(Keys.REASON, reason);
            span.setAttribute(Keys.ERROR_TYPE, reason);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
