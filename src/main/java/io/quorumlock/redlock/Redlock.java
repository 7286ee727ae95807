package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.time.MonotonicTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Locks by a majority of independent nodes, after "Distributed Locks with Redis"
 * (https://redis.io/docs/latest/develop/use/patterns/distributed-locks/), under the rules R1 to R15 of the guarantees.
 *
 * <p>May be called from any thread; everything else happens on the loop of its surroundings.
 */
public final class Redlock implements LockEngine {
    private final List<LockNode> nodes;
    private final RedlockSettings rules;
    private final EngineContext engineContext;
    private final LockListener events;
    private final CleanUp cleanUp;
    private final AttemptIds attemptIds;
    private final Fencing fencing;
    private final AttemptContext workshop;

    public Redlock(
            List<? extends LockNode> nodes, RedlockSettings rules, EngineContext engineContext, LockListener events) {
        this.nodes = List.copyOf(nodes);
        this.rules = rules;
        this.engineContext = engineContext;
        this.events = events;
        this.cleanUp = new CleanUp(this.nodes, rules.cleanUpsMax(), engineContext);
        this.attemptIds = new AttemptIds(engineContext.random());
        this.fencing = new Fencing(this.nodes, new FencingClock(new FleetClock(this.nodes), rules.ttlMax()));
        this.workshop = new AttemptContext(rules, engineContext.clock(), cleanUp, fencing);
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return acquire(resource, terms, attemptIds::next);
    }

    @Override
    public CompletableFuture<Acquisition> acquireInTurn(ResourceName resource, AcquireTerms terms) {
        return acquire(resource, terms, () -> attemptIds.next() + AcquireCommand.IN_TURN);
    }

    private CompletableFuture<Acquisition> acquire(
            ResourceName resource, AcquireTerms terms, Supplier<String> attemptId) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            LeaseToken token = terms.token().orElseGet(() -> LeaseToken.mint(engineContext.random()));
            AcquireCommand claim = new AcquireCommand(resource, token, attemptId.get(), fencing.candidate(), terms);
            new AcquireAttempt(claim, workshop, outcome -> {
                        boolean taken = answer.complete(outcome.acquisition());
                        report(outcome);
                        return taken;
                    })
                    .run(nodes);
        });
    }

    private void report(AcquireAttempt.Outcome outcome) {
        events.acquire(outcome.acquisition(), outcome.elapsed());
        if (outcome.split()) {
            events.splitVote();
        }
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            ExtendAttempt.Wish wish = new ExtendAttempt.Wish(resource, token, terms);
            new ExtendAttempt(wish, workshop, (extension, elapsed) -> {
                        boolean taken = answer.complete(extension);
                        events.extend(extension, elapsed);
                        return taken;
                    })
                    .run(nodes);
        });
    }

    @Override
    public CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return release(DeleteCondition.ofLease(resource, token));
    }

    @Override
    public CompletableFuture<Release> passOn(ResourceName resource, LeaseToken token) {
        return release(DeleteCondition.ofPassedOn(resource, token));
    }

    private CompletableFuture<Release> release(DeleteCondition condition) {
        return LoopCalls.run(engineContext.loop(), answer -> {
            MonotonicTime started = engineContext.clock().now();
            QuorumRound.run(
                    nodes,
                    (node, reply) -> cleanUp.delete(node, condition, rules.ttlMax(), reply),
                    ReleaseDecision::decide,
                    (verdict, collector, all) -> {
                        Release release =
                                switch (verdict) {
                                    case RELEASED -> new Release.Released(isContested(collector));
                                    case NOT_HELD -> new Release.NotHeld(
                                            collector.holderInstead().orElseThrow());
                                    case UNCONFIRMED -> new Release.Unconfirmed(collector.unanswered(), rules.ttlMax());
                                };
                        answer.complete(release);
                        events.release(release, engineContext.clock().now().since(started));
                    });
        });
    }

    private static boolean isContested(VoteCollector collector) {
        return collector.count(reply -> reply instanceof NodeReply.Deleted deleted && deleted.contested()) > 0;
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return LoopCalls.run(
                engineContext.loop(),
                answer -> QuorumRound.run(
                        nodes,
                        (node, reply) -> node.inspect(resource, reply),
                        InspectDecision::decide,
                        (verdict, collector, all) -> answer.complete(inspection(verdict, collector))));
    }

    private static Inspection inspection(InspectDecision verdict, VoteCollector collector) {
        if (!verdict.certain()) {
            return new Inspection.NoQuorum(collector.unread());
        }
        if (verdict.holder().isEmpty()) {
            return new Inspection.Free();
        }
        HolderVotes votes = HolderVotes.leading(collector).orElseThrow();
        return new Inspection.Held(votes.owner(), votes.remaining(), votes.fence(), collector.votes(votes.count()));
    }

    /** Counts what failed attempts and releases left on nodes that could not be reached since. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
