package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Makes calls of the algorithm spans. A round that no request asked for is a trace of its own. */
final class Rounds {
    private static final String CANCELLED = "cancelled";
    private static final Set<String> FAILURES = Set.of("no_quorum", "unconfirmed");

    private final Tracer tracer;
    private final boolean resourceNames;

    Rounds(Tracer tracer, boolean resourceNames) {
        this.tracer = tracer;
        this.resourceNames = resourceNames;
    }

    /** Makes a call about one resource, or about many. */
    <T> CompletableFuture<T> run(
            String verb, Optional<ResourceName> resource, Context origin, Supplier<CompletableFuture<T>> call) {
        Span span = start(verb, resource, origin);
        CompletableFuture<T> answer;
        try {
            answer = origin.with(span).wrapSupplier(call).get();
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
                String word = Words.of(outcome);
                end(span, word, FAILURES.contains(word));
            }
        });
        return answer;
    }

    private Span start(String verb, Optional<ResourceName> resource, Context origin) {
        SpanBuilder builder = tracer.spanBuilder(verb + " round").setParent(origin);
        resource.filter(name -> resourceNames).ifPresent(name -> builder.setAttribute(Keys.RESOURCE, name.text()));
        return builder.startSpan();
    }

    private static void end(Span span, String outcome, boolean failed) {
        span.setAttribute(Keys.OUTCOME, outcome);
        if (failed) {
            span.setAttribute(Keys.ERROR_TYPE, outcome);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
