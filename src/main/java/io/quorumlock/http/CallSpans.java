// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.semconv.ErrorAttributes;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockOutcome;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The spans of calls to the engine: one for each, from the request to the outcome, waits and all votes included. */
@Singleton
final class CallSpans {
    static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("quorumlock.resource");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("quorumlock.outcome");
    static final AttributeKey<Long> VOTES = AttributeKey.longKey("quorumlock.votes");
    static final AttributeKey<Long> WAITED_MS = AttributeKey.longKey("quorumlock.waited_ms");

    private static final String CANCELLED = "cancelled";
    private static final Set<String> FAILURES = Set.of("no_quorum", "unconfirmed");

    private final Tracer tracer;
    private final boolean resourceNames;

    /** @param resourceNames whether spans contain the names of resources */
    CallSpans(
            OpenTelemetry telemetry,
            @ConfigProperty(name = "quorumlock.tracing.resource-names") boolean resourceNames) {
        this.tracer = telemetry.getTracer("io.quorumlock");
        this.resourceNames = resourceNames;
    }

    /**
     * Makes a call in a span below that of the request. Without tracing, or if the request is not sampled, there is none.
     *
     * @param resources the names of the call, as a text
     */
    <T extends LockOutcome> CompletableFuture<T> call(
            String name, Object resources, Supplier<CompletableFuture<T>> call) {
        Span span = tracer.spanBuilder(name).startSpan();
        CompletableFuture<T> answer = call.get();
        if (span.isRecording()) {
            if (resourceNames) {
                span.setAttribute(RESOURCE, resources.toString());
            }
            answer.whenComplete((outcome, bug) -> {
                if (answer.isCancelled()) {
                    end(span, CANCELLED, false);
                } else if (bug != null) {
                    end(span, bug.getClass().getName(), true);
                } else {
                    describe(span, outcome);
                    end(span, outcome.label(), FAILURES.contains(outcome.label()));
                }
            });
        }
        return answer;
    }

    private static void describe(Span span, LockOutcome outcome) {
        lease(outcome).ifPresent(lease -> {
            span.setAttribute(VOTES, lease.votes().granted());
            span.setAttribute(WAITED_MS, lease.waited().toMillis());
        });
        if (outcome instanceof Acquisition.Held held) {
            span.setAttribute(WAITED_MS, held.waited().toMillis());
        }
    }

    private static Optional<Lease> lease(LockOutcome outcome) {
        if (outcome instanceof Acquisition acquisition) {
            return acquisition.granted();
        }
        return outcome instanceof Extension.Extended extended ? Optional.of(extended.lease()) : Optional.empty();
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
