package io.quorumlock.tracing;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Makes each call of the algorithm a span: between the room where callers wait and the nodes. */
final class TracedEngine implements LockEngine {
    private final LockEngine algorithm;
    private final Rounds rounds;
    private final Origins origins;

    TracedEngine(LockEngine algorithm, Rounds rounds, Origins origins) {
        this.algorithm = algorithm;
        this.rounds = rounds;
        this.origins = origins;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return rounds.run(
                "acquire", Optional.of(resource), origins.of(terms), () -> algorithm.acquire(resource, terms));
    }

    @Override
    public CompletableFuture<Acquisition> acquireInTurn(ResourceName resource, AcquireTerms terms) {
        return rounds.run(
                "acquire", Optional.of(resource), origins.of(terms), () -> algorithm.acquireInTurn(resource, terms));
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return rounds.run(
                "extend", Optional.of(resource), Origin.current(), () -> algorithm.extend(resource, token, terms));
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return rounds.run("release", Optional.of(resource), Origin.current(), () -> algorithm.release(resource, token));
    }

    @Override
    public CompletableFuture<Release> passOn(ResourceName resource, LeaseToken token) {
        return rounds.run("release", Optional.of(resource), Origin.current(), () -> algorithm.passOn(resource, token));
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return rounds.run("inspect", Optional.of(resource), Origin.current(), () -> algorithm.inspect(resource));
    }
}
