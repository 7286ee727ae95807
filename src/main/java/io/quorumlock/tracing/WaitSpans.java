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
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The decorator of the wait queues that makes each acquire with a wait a span, and stores it as the parent of its
 * rounds.
 */
final class WaitSpans implements LockEngine {
    private final LockEngine queues;
    private final RoundSpans spans;
    private final Map<AcquireTerms, Context> pending;

    /**
     * @param pending contexts by the identity of the terms. A queue may start a waiter's round in the task of another
     *     request, but it passes on the same terms object
     */
    WaitSpans(LockEngine queues, RoundSpans spans, Map<AcquireTerms, Context> pending) {
        this.queues = queues;
        this.spans = spans;
        this.pending = pending;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        if (!terms.mayBeTriedAgain()) {
            return queues.acquire(resources, terms);
        }
        AcquireTerms own = new AcquireTerms(
                terms.ttl(), terms.minValidity(), terms.patience(), terms.token(), terms.owner(), terms.kind());
        CompletableFuture<Acquisition> answer =
                spans.trace("wait", Optional.of(resources), TraceContext.current(), () -> {
                    pending.put(own, TraceContext.current());
                    return queues.acquire(resources, own);
                });
        answer.whenComplete((outcome, bug) -> pending.remove(own));
        return answer;
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, ExtendTerms terms) {
        return queues.extend(resources, token, terms);
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return queues.release(resources, token, keep);
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return queues.inspect(resource);
    }
}
