// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.LoopCalls;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.UniqueIds;
import io.quorumlock.engines.redlock.AcquireAttempt.AttemptContext;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The lock engine: locks by a majority of independent masters, as in "Distributed Locks with Redis"
 * (https://redis.io/docs/latest/develop/use/patterns/distributed-locks/), with the rules R1 to R15 of the guarantees.
 *
 * <p>Thread-safe. All state is confined to the event loop of the engine.
 */
public final class Redlock implements LockEngine, LockDirectory {
    /** Maximum number of concurrent listings, each of which reads every lock of every master (R14). */
    private static final int MAX_LISTINGS = 2;

    private final List<LockMaster> masters;
    private final EngineSettings settings;
    private final EngineContext engineContext;
    private final LockListener listener;
    private final CleanUp cleanUp;
    private final UniqueIds attemptIds;
    private final Fencing fencing;
    private final AttemptContext context;
    private int listings;

    public Redlock(
            List<? extends LockMaster> masters,
            EngineSettings settings,
            EngineContext engineContext,
            LockListener listener) {
        this.masters = List.copyOf(masters);
        this.settings = settings;
        this.engineContext = engineContext;
        this.listener = listener;
        this.cleanUp = new CleanUp(this.masters, settings, engineContext);
        this.attemptIds = new UniqueIds(engineContext.random());
        this.fencing = new Fencing(this.masters, new FencingClock(this.masters, settings.ttlMax()));
        Restorer restorer = new Restorer(
                fencing, engineContext.scheduler(), settings.callTimeout().multipliedBy(2));
        this.context = new AttemptContext(settings, engineContext.clock(), cleanUp, fencing, restorer, attemptIds);
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            LeaseToken token = terms.token().orElseGet(() -> LeaseToken.mint(engineContext.random()));
            SlotSearch.Attempts attempts = (slot, then) -> {
                AcquireCommand command =
                        new AcquireCommand(resources, token, attemptIds.next(), fencing.candidate(), terms, slot);
                new AcquireAttempt(command, context, then).run(masters);
            };
            int slots = terms.kind().slots();
            if (slots > 0) {
                new SlotSearch(attempts, context, engineContext.random(), outcome -> deliver(outcome, answer))
                        .run(slots);
            } else {
                attempts.begin(OptionalInt.empty(), outcome -> {
                    if (outcome.acquisition() instanceof Acquisition.Held held && held.split()) {
                        listener.splitVote();
                    }
                    return deliver(outcome, answer);
                });
            }
        });
    }

    private boolean deliver(AcquireAttempt.Outcome outcome, CompletableFuture<Acquisition> answer) {
        boolean delivered = answer.complete(outcome.acquisition());
        listener.acquire(outcome.acquisition(), outcome.elapsed());
        return delivered;
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            ExtendAttempt.Command command = new ExtendAttempt.Command(resources, token, ttl);
            new ExtendAttempt(command, context, (extension, elapsed) -> {
                        answer.complete(extension);
                        listener.extend(extension, elapsed);
                    })
                    .run(masters);
        });
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            MonotonicTime started = engineContext.clock().now();
            DeleteCondition condition = DeleteCondition.ofLease(resources, token, keep);
            QuorumRound.run(
                    masters,
                    (master, reply) -> cleanUp.deleteLease(master, condition, settings.ttlMax(), reply),
                    keep.isZero() ? Decision.Release::decide : Decision.Release::decideKept,
                    (decision, collector, all) -> {
                        Release release =
                                switch (decision) {
                                    case RELEASED -> new Release.Released();
                                    case NOT_HELD -> new Release.NotHeld(
                                            collector.otherHolder().orElseThrow(), collector.lost(resources));
                                    case UNCONFIRMED -> new Release.Unconfirmed(
                                            collector.noQuorumReason(), settings.ttlMax());
                                };
                        answer.complete(release);
                        listener.release(release, engineContext.clock().now().since(started));
                    });
        });
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> QuorumRound.runToEnd(
                        masters,
                        (master, reply) -> master.inspect(resource, reply),
                        collector -> answer.complete(inspection(collector))));
    }

    /** Returns the state of a lock by the replies of all masters. */
    static Inspection inspection(VoteCollector collector) {
        List<HolderVotes> holders = HolderVotes.possible(collector);
        int most = holders.stream().mapToInt(HolderVotes::count).max().orElse(0);
        if (collector.isMajority(most)) {
            return HolderVotes.state(holders, collector);
        }
        boolean mayBeHeld = collector.isMajority(most + collector.count(MasterReply.Failed.class));
        return mayBeHeld ? new Inspection.NoQuorum(collector.noQuorumReasonOfRead()) : new Inspection.Free();
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
            LoopCalls.failIfItThrows(result, () -> new NameSearch(terms, masters, engineContext, answer::isDone)
                    .run(found -> new PageInspection(found, masters, engineContext.loop(), result::complete).run()));
        });
    }

    @Override
    public CompletableFuture<ForcedRelease> forceRelease(ResourceName resource, ForceTerms terms) {
        return LoopCalls.run(
                engineContext.loop(), answer -> new ForceAttempt(resource, terms, masters, cleanUp, outcome -> {
                            answer.complete(outcome);
                            listener.forceRelease(outcome);
                        })
                        .run());
    }

    /** Returns the number of deletes that have not ended, for example because a master cannot be reached. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
