// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.LoopCalls;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.UniqueIds;
import io.quorumlock.engines.consensus.Operation.Conclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The lock engine on a linearizable store. Each lock is one record. A lease of several locks is written in one
 * transaction. A lease whose last write is as old as its duration is over, and every change is a compare-and-set, so
 * that an extension and a takeover never both succeed.
 *
 * <p>Thread-safe. All state is confined to the event loop of the engine.
 */
public final class Consensus implements LockEngine, LockDirectory {
    /** Maximum number of concurrent listings (R14). */
    private static final int MAX_LISTINGS = 2;

    private final RecordStore store;
    private final EngineSettings settings;
    private final EngineContext engineContext;
    private final LockListener listener;
    private final Records records;
    private final OperationQueues queues;
    private final HolderRemovals removals;
    private final UniqueIds writeIds;

    private final RecordSignal signal;
    private final RecordAnnouncements announcements;
    private int listings;

    public Consensus(RecordStore store, EngineSettings settings, EngineContext engineContext, LockListener listener) {
        this.store = store;
        this.settings = settings;
        this.engineContext = engineContext;
        this.listener = listener;
        this.records = new Records(store, settings.ttlMax(), engineContext.clock());
        this.queues = new OperationQueues(records, settings.callTimeout(), engineContext);
        this.writeIds = new UniqueIds(engineContext.random());
        this.removals = new HolderRemovals(queues, writeIds, settings, engineContext);
        this.signal = new RecordSignal(records, writeIds.replica(), engineContext.loop());
        this.announcements = new RecordAnnouncements(records);
    }

    /** Begins to watch the store, and changes nothing by itself. */
    public void watch() {
        engineContext.loop().execute(() -> store.watch(records));
    }

    /** Begins to watch the store, to delete records of which nobody else takes care, and to count the uptime. */
    public void start() {
        watch();
        engineContext.loop().execute(() -> {
            new Leftovers(records, engineContext).deleteFromNowOn();
            countUptime();
        });
    }

    private void countUptime() {
        engineContext.scheduler().after(records.uptimePeriod(), () -> {
            records.writeUptime();
            countUptime();
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
        return run(
                () -> {
                    LeaseToken token = terms.token().orElseGet(() -> LeaseToken.mint(engineContext.random()));
                    return queues.run(new Acquire(
                            resources, token, terms, writeIds.replica(), writeIds.next(), wallClock(), settings));
                },
                listener::acquire);
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return run(
                () -> queues.run(new Extend(resources, token, ttl, writeIds.next(), wallClock(), settings)),
                listener::extend);
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return run(
                () -> queues.run(new ReleaseLease(resources, token, keep, writeIds.next(), settings)),
                listener::release);
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms) {
        return run(
                () -> {
                    CompletableFuture<Conclusion<ForcedRelease>> end = new CompletableFuture<>();
                    records.read(
                            List.of(resource),
                            complete -> LoopCalls.failIfItThrows(
                                    end, () -> LoopCalls.follow(breakLeases(resource, terms, complete), end)));
                    return end;
                },
                (outcome, elapsed) -> listener.forceRelease(outcome));
    }

    private CompletableFuture<Conclusion<ForcedRelease>> breakLeases(
            ResourceName resource, ForceTerms terms, boolean wasRead) {
        if (!wasRead) {
            return CompletableFuture.completedFuture(
                    Conclusion.of(new ForcedRelease.NoQuorum(StoreVotes.noAnswer(Effect.NONE))));
        }
        return ForceRelease.of(terms, records.snapshot(ResourceNames.of(resource)))
                .map(queues::run)
                .orElseGet(() -> CompletableFuture.completedFuture(Conclusion.of(new ForcedRelease.Free())));
    }

    private Instant wallClock() {
        return engineContext.wallClock().instant();
    }

    /** Runs an operation on the event loop: answers, reports, and cleans up. */
    private <T> CompletableFuture<T> run(
            Supplier<CompletableFuture<Conclusion<T>>> operation, BiConsumer<T, Duration> report) {
        MonotonicTime began = engineContext.clock().now();
        return LoopCalls.run(engineContext.loop(), answer -> operation.get().whenComplete((conclusion, bug) -> {
            if (bug != null) {
                answer.completeExceptionally(bug);
                return;
            }
            boolean delivered = answer.complete(conclusion.outcome());
            report.accept(conclusion.outcome(), engineContext.clock().now().since(began));
            conclusion.removal(delivered).ifPresent(removals::start);
        }));
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> records.read(
                        List.of(resource),
                        complete -> LoopCalls.failIfItThrows(
                                answer, () -> answer.complete(inspection(resource, complete)))));
    }

    private Inspection inspection(ResourceName resource, boolean wasRead) {
        if (!wasRead) {
            return new Inspection.NoQuorum(StoreVotes.noAnswer(Effect.NONE));
        }
        return records.known(resource)
                .flatMap(record -> record.held(records.now()))
                .<Inspection>map(Function.identity())
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
            new PageRead(terms, records, result).run();
        });
    }

    /** Returns the number of deletes in the background. */
    public int cleanUpsPending() {
        return removals.pending();
    }
}
