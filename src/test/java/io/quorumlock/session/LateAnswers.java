// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.DelegatingEngine;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** An engine whose outcomes are read late, as after a pause of the process. */
final class LateAnswers extends DelegatingEngine {
    private final Scheduler scheduler;
    private final Duration pause;

    LateAnswers(LockEngine engine, Scheduler scheduler, Duration pause) {
        super(engine);
        this.scheduler = scheduler;
        this.pause = pause;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return late(engine.acquire(resource, terms));
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return late(engine.extend(resource, token, terms));
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return late(engine.release(resource, token));
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return late(engine.inspect(resource));
    }

    private <T> CompletableFuture<T> late(CompletableFuture<T> answer) {
        CompletableFuture<T> late = new CompletableFuture<>();
        answer.thenAccept(outcome -> scheduler.after(pause, () -> late.complete(outcome)));
        return late;
    }
}
