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
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return spans.trace(
                "acquire round", Optional.of(resource), parentOf(terms), () -> algorithm.acquire(resource, terms));
    }

    private Context parentOf(AcquireTerms terms) {
        return terms.mayBeTriedAgain() ? pending.getOrDefault(terms, Context.root()) : TraceContext.current();
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return trace("extend round", resource, () -> algorithm.extend(resource, token, terms));
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return trace("release round", resource, () -> algorithm.release(resource, token));
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return trace("inspect round", resource, () -> algorithm.inspect(resource));
    }

    private <T extends LockOutcome> CompletableFuture<T> trace(
            String name, ResourceName resource, Supplier<CompletableFuture<T>> call) {
        return spans.trace(name, Optional.of(resource), TraceContext.current(), call);
    }
}
