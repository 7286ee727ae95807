// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.testing.DelegatingEngine;
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
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        return late(engine.acquire(resources, terms));
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return late(engine.extend(resources, token, ttl));
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return late(engine.release(resources, token, keep));
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
