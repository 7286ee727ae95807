// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.context.Context;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockOutcome;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The decorator of the algorithm, below the wait queues, that makes each quorum round a span. */
final class TracedEngine implements LockEngine {
    private final LockEngine algorithm;
    private final RoundSpans spans;
    private final Map<AcquireTerms, Context> pending;

    TracedEngine(LockEngine algorithm, RoundSpans spans, Map<AcquireTerms, Context> pending) {
        this.algorithm = algorithm;
        this.spans = spans;
        this.pending = pending;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        return spans.trace(
                "acquire round", Optional.of(resources), parentOf(terms), () -> algorithm.acquire(resources, terms));
    }

    private Context parentOf(AcquireTerms terms) {
        return terms.mayBeTriedAgain() ? pending.getOrDefault(terms, Context.root()) : TraceContext.current();
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, ExtendTerms terms) {
        return trace("extend round", resources, () -> algorithm.extend(resources, token, terms));
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return trace("release round", resources, () -> algorithm.release(resources, token, keep));
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return trace("inspect round", ResourceNames.of(resource), () -> algorithm.inspect(resource));
    }

    private <T extends LockOutcome> CompletableFuture<T> trace(
            String name, ResourceNames resources, Supplier<CompletableFuture<T>> call) {
        return spans.trace(name, Optional.of(resources), TraceContext.current(), call);
    }
}
