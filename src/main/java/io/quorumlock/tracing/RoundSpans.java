// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.ErrorAttributes;
import io.quorumlock.lock.LockOutcome;
import io.quorumlock.lock.ResourceNames;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The spans of calls to the lock engine. A round without a request starts its own trace. */
final class RoundSpans {
    static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("quorumlock.resource");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("quorumlock.outcome");

    private static final String CANCELLED = "cancelled";
    private static final Set<String> FAILURES = Set.of("no_quorum", "unconfirmed");

    private final Tracer tracer;
    private final boolean resourceNames;

    RoundSpans(Tracer tracer, boolean resourceNames) {
        this.tracer = tracer;
        this.resourceNames = resourceNames;
    }

    /** Runs a call in a new span, which ends with the outcome of the call. */
    <T extends LockOutcome> CompletableFuture<T> trace(
            String name, Optional<ResourceNames> resources, Context parent, Supplier<CompletableFuture<T>> call) {
        Span span = start(name, resources, parent);
        CompletableFuture<T> answer;
        try {
            answer = TraceContext.call(parent.with(span), call);
        } catch (RuntimeException bug) {
            end(span, bug.getClass().getName(), true);
            throw bug;
        }
        answer.whenComplete((outcome, bug) -> {
            if (answer.isCancelled()) {
                end(span, CANCELLED, false);
            } else if (bug != null) {
                end(span, bug.getClass().getName(), true);
            } else {
                end(span, outcome.label(), FAILURES.contains(outcome.label()));
            }
        });
        return answer;
    }

    private Span start(String name, Optional<ResourceNames> resources, Context parent) {
        SpanBuilder builder = tracer.spanBuilder(name).setParent(parent);
        resources.filter(some -> resourceNames).ifPresent(some -> builder.setAttribute(RESOURCE, some.toString()));
        return builder.startSpan();
    }

    private static void end(Span span, String outcome, boolean failed) {
        span.setAttribute(OUTCOME, outcome);
        if (failed) {
            span.setAttribute(ErrorAttributes.ERROR_TYPE, outcome);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
