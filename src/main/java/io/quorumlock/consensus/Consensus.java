// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordOperation.OperationContext;
import io.quorumlock.events.Announcements;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.waiting.ReleaseSignal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The lock engine on a linearizable store. Each lock is one record. A lease of several locks is written in one transaction. A lease that a replica has seen unchanged for its
 * duration is over, and every change is a compare-and-set, so that an extension and a takeover never both succeed.
 *
 * <p>Thread-safe. All state is confined to the event loop of the engine.
 */
public final class Consensus implements LockEngine, LockDirectory {
    /** Maximum number of concurrent listings (R14). On ZooKeeper, each reads all names. */
    private static final int MAX_LISTINGS = 2;

    private final RecordStore store;
    private final EngineContext engineContext;
    private final LockListener listener;
    private final Records records;
    private final OperationContext context;
    private final RecordSignal signal;
    private final RecordAnnouncements announcements;
    private int listings;

    public Consensus(
            RecordStore store, ConsensusSettings settings, EngineContext engineContext, LockListener listener) {
        this.store = store;
        this.engineContext = engineContext;
        this.listener = listener;
        this.records = new Records(store, engineContext.clock());
        this.context = new OperationContext(records, new CleanUps(), settings, engineContext);
        this.signal = new RecordSignal(records, engineContext.loop());
        this.announcements = new RecordAnnouncements(records);
    }

    /** Begins to watch the store, and to delete records of which nobody else takes care. */
    public void start() {
        engineContext.loop().execute(() -> {
            store.watch(records);
            new Leftovers(records, engineContext.scheduler()).deleteFromNowOn();
        });
    }

    /** Returns the announcements of deleted records. */
    public ReleaseSignal signal() {
        return signal;
    }

    /** Returns the announcements of all changes of locks. */
    public Announcements announcements() {
        return announcements;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> new AcquireOperation(resources, terms, context, answer, listener).run());
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, ExtendTerms terms) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> new ExtendOperation(resources, token, terms, context, answer, listener).run());
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> new ReleaseOperation(resources, token, keep, context, answer, listener).run());
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> records.read(
                        resource,
                        reply -> LoopCalls.failIfItThrows(answer, () -> answer.complete(inspection(resource, reply)))));
    }

    private Inspection inspection(ResourceName resource, StoreReply reply) {
        if (reply instanceof StoreReply.Failed) {
            return new Inspection.NoQuorum(RecordOperation.noAnswer(Effect.NONE));
        }
        return records.unexpired(resource)
                .<Inspection>map(lease -> lease.held(records.now()))
                .orElseGet(Inspection.Free::new);
    }

    @Override
    public CompletableFuture<Listing> list(PageTerms terms) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            if (listings == MAX_LISTINGS) {
                answer.complete(new Listing.Busy(MAX_LISTINGS));
                return;
            }
            listings++;
            CompletableFuture<Listing> result = new CompletableFuture<>();
            result.whenComplete((listing, bug) -> listings--);
            LoopCalls.follow(result, answer);
            new PageRead(terms, store, records, result).run();
        });
    }

    /** Always reads the record first, so that only a lease that exists now is broken. */
    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms) {
        return LoopCalls.run(
                engineContext.loop(), answer -> new ForceOperation(resource, terms, context, answer, listener).read());
    }

    /** Returns the number of deletes in the background. */
    public int cleanUpsPending() {
        return context.cleanUps().pending();
    }
}
