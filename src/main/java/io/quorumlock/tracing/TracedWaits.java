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
import java.util.concurrent.CompletableFuture;

/** Notes for which request somebody waits, until that has its answer or leaves. */
final class TracedWaits implements LockEngine {
    private final LockEngine room;
    private final Origins origins;

    TracedWaits(LockEngine room, Origins origins) {
        this.room = room;
        this.origins = origins;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        if (!terms.mayBeTriedAgain()) {
            return room.acquire(resource, terms);
        }
        AcquireTerms own = origins.remember(terms, Origin.current());
        CompletableFuture<Acquisition> answer = room.acquire(resource, own);
        answer.whenComplete((outcome, bug) -> origins.forget(own));
        return answer;
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return room.extend(resource, token, terms);
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return room.release(resource, token);
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return room.inspect(resource);
    }
}
