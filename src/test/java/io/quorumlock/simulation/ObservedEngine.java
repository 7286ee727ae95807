package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import java.util.concurrent.CompletableFuture;

/** An engine that remembers which releases reached it, and in which form. */
record ObservedEngine(LockEngine engine, History history, Agenda agenda) implements LockEngine {

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return engine.acquire(resource, terms);
    }

    @Override
    public CompletableFuture<Acquisition> acquireInTurn(ResourceName resource, AcquireTerms terms) {
        return engine.acquireInTurn(resource, terms);
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return engine.extend(resource, token, terms);
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        history.released(token, agenda.now());
        return engine.release(resource, token);
    }

    @Override
    public CompletableFuture<Release> passOn(ResourceName resource, LeaseToken token) {
        history.used(Use.PASSED_ON);
        history.released(token, agenda.now());
        return engine.passOn(resource, token);
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return engine.inspect(resource);
    }
}
