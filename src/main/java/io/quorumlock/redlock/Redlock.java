package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockEvents;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
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
    private final Rules rules;
    private final Surroundings surroundings;
    private final LockEvents events;
    private final CleanUp cleanUp;
    private final AttemptIds attemptIds;
    private final Fencing fencing;
    private final Workshop workshop;

    public Redlock(List<? extends LockNode> nodes, Rules rules, Surroundings surroundings, LockEvents events) {
        this.nodes = List.copyOf(nodes);
        this.rules = rules;
        this.surroundings = surroundings;
        this.events = events;
        this.cleanUp = new CleanUp(this.nodes, rules.cleanUpsMax(), surroundings);
        this.attemptIds = new AttemptIds(surroundings.chance());
        this.fencing = new Fencing(this.nodes, new FencingClock(new NodesClock(this.nodes), rules.ttlMax()));
        this.workshop = new Workshop(rules, surroundings.clock(), cleanUp, fencing);
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return acquire(resource, terms, attemptIds::next);
    }

    @Override
    public CompletableFuture<Acquisition> acquireInTurn(ResourceName resource, AcquireTerms terms) {
        return acquire(resource, terms, () -> attemptIds.next() + Claim.IN_TURN);
    }

    private CompletableFuture<Acquisition> acquire(
            ResourceName resource, AcquireTerms terms, Supplier<String> attemptId) {
        return LoopCalls.run(surroundings.loop(), answer -> {
            LeaseToken token = terms.token().orElseGet(() -> LeaseToken.mint(surroundings.chance()));
            Claim claim = new Claim(resource, token, attemptId.get(), fencing.candidate(), terms);
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
        return LoopCalls.run(surroundings.loop(), answer -> {
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
        return release(Stake.ofLease(resource, token));
    }

    @Override
    public CompletableFuture<Release> passOn(ResourceName resource, LeaseToken token) {
        return release(Stake.ofPassedOn(resource, token));
    }

    private CompletableFuture<Release> release(Stake stake) {
        return LoopCalls.run(surroundings.loop(), answer -> {
            Moment started = surroundings.clock().now();
            QuorumRound.run(
                    nodes,
                    (node, reply) -> cleanUp.delete(node, stake, rules.ttlMax(), reply),
                    ReleaseVerdict::decide,
                    (verdict, ballot, all) -> {
                        Release release =
                                switch (verdict) {
                                    case RELEASED -> new Release.Released(isContested(ballot));
                                    case NOT_HELD -> new Release.NotHeld(
                                            ballot.holderInstead().orElseThrow());
                                    case UNCONFIRMED -> new Release.Unconfirmed(ballot.unanswered(), rules.ttlMax());
                                };
                        answer.complete(release);
                        events.release(release, surroundings.clock().now().since(started));
                    });
        });
    }

    private static boolean isContested(Ballot ballot) {
        return ballot.count(reply -> reply instanceof NodeReply.Deleted deleted && deleted.contested()) > 0;
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return LoopCalls.run(
                surroundings.loop(),
                answer -> QuorumRound.run(
                        nodes,
                        (node, reply) -> node.inspect(resource, reply),
                        InspectVerdict::decide,
                        (verdict, ballot, all) -> answer.complete(inspection(verdict, ballot))));
    }

    private static Inspection inspection(InspectVerdict verdict, Ballot ballot) {
        if (!verdict.certain()) {
            return new Inspection.NoQuorum(ballot.unread());
        }
        if (verdict.holder().isEmpty()) {
            return new Inspection.Free();
        }
        HolderVotes votes = HolderVotes.leading(ballot).orElseThrow();
        return new Inspection.Held(votes.owner(), votes.remaining(), votes.fence(), ballot.votes(votes.count()));
    }

    /** Counts what failed attempts and releases left on nodes that could not be reached since. */
    public int cleanUpsPending() {
        return cleanUp.pending();
    }
}
