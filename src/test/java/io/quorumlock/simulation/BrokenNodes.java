package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.Claim;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.Stake;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Makes nodes that break one rule each. */
final class BrokenNodes {
    private BrokenNodes() {}

    /** R3: every attempt has the same name. */
    static LockNode namelessAttempts(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void acquire(Claim claim, Consumer<NodeReply> reply) {
                node.acquire(
                        new Claim(claim.resource(), claim.token(), "same", claim.candidate(), claim.terms()), reply);
            }

            @Override
            public void release(Stake stake, Consumer<NodeReply> reply) {
                // Without attempts there is no mark of adoption either: what the token holds is deleted.
                node.release(Stake.ofLease(stake.resource(), stake.token()), reply);
            }
        };
    }

    /** R5: what a failed attempt wrote stays. */
    static LockNode withoutCleanUp(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void release(Stake stake, Consumer<NodeReply> reply) {
                if (stake.attempt().isPresent()) {
                    reply.accept(new NodeReply.Deleted());
                } else {
                    node.release(stake, reply);
                }
            }
        };
    }

    /** R6: whoever holds it, it is deleted. */
    static LockNode releaseWithoutComparing(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void release(Stake stake, Consumer<NodeReply> reply) {
                node.inspect(stake.resource(), seen -> {
                    if (seen instanceof NodeReply.Holding holding) {
                        LeaseToken holder = new LeaseToken(holding.holder());
                        node.release(Stake.ofLease(stake.resource(), holder), reply);
                    } else {
                        reply.accept(seen);
                    }
                });
            }
        };
    }

    /** R7: extending what is gone makes it again. */
    static LockNode extendCreates(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
                node.extend(resource, token, ttl, said -> {
                    if (said instanceof NodeReply.Absent) {
                        AcquireTerms terms = new AcquireTerms(ttl, Optional.of(token), Optional.empty());
                        node.acquire(
                                new Claim(resource, token, "again", new FencingToken(1), terms),
                                made -> reply.accept(
                                        made instanceof NodeReply.Granted granted
                                                ? new NodeReply.Extended(1, granted.fence())
                                                : said));
                    } else {
                        reply.accept(said);
                    }
                });
            }
        };
    }

    /** R7: an extension that some node did not confirm deletes the lease everywhere it is asked. */
    static LockNode failedExtendDeletes(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
                node.extend(resource, token, ttl, said -> {
                    if (said instanceof NodeReply.Failed) {
                        node.release(Stake.ofLease(resource, token), ignored -> {});
                    }
                    reply.accept(said);
                });
            }
        };
    }

    /** R7: a node that lost the lease counts as one that has it. */
    static LockNode extendCountsTheLost(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
                node.extend(
                        resource,
                        token,
                        ttl,
                        said -> reply.accept(
                                said instanceof NodeReply.Absent
                                        ? new NodeReply.Extended(1, new FencingToken(1))
                                        : said));
            }
        };
    }

    /** R10: the largest number is answered, and written back nowhere. */
    static LockNode withoutWriteBack(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void raise(Stake stake, FencingToken fence, Consumer<NodeReply> reply) {
                reply.accept(new NodeReply.Raised());
            }
        };
    }

    /** R10: no time of day is known, so a counter that is new or was lost starts from one. */
    static LockNode countersFromOne(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public OptionalLong wallClock() {
                return OptionalLong.empty();
            }
        };
    }

    /** R15: "not reached" is said of a command that may have taken effect. */
    static LockNode unsentOnTimeout(LockNode wire) {
        return new NodeInTheMiddle(wire) {
            @Override
            public void acquire(Claim claim, Consumer<NodeReply> reply) {
                node.acquire(
                        claim,
                        said -> reply.accept(
                                said instanceof NodeReply.Failed failed
                                        ? new NodeReply.Failed(failed.reason(), false)
                                        : said));
            }
        };
    }
}
