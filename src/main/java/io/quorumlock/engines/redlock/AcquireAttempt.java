// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.UniqueIds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** One attempt to acquire: from the first clock sample to the outcome, with the clean-up of a failed attempt. */
final class AcquireAttempt implements QuorumRound.Listener<Decision.Acquire> {
    private final AcquireCommand command;
    private final AttemptContext context;
    private final Predicate<Outcome> callback;
    private final MonotonicTime started;
    private boolean abandoned;
    private boolean lostToOthers;
    /** Deletes of an abandoned attempt, and outstanding replies, for which a semaphore does not wait. */
    private int pendingCleanUps;
    /**
     * Runs after the clean-up. A waiter gets the outcome only then: the next attempt with the same token must not adopt
     * a value of this one. The next attempt of a semaphore is for another slot, and so adopts none. A later
     * acquire with this token may try the slot again, and adopt a value that a master wrote late; that value ends with its TTL.
     */
    private Optional<Runnable> afterCleanUp = Optional.empty();

    private Optional<FencingToken> fencingToken = Optional.empty();
    private MonotonicTime decidedAt;

    /**
     * The outcome, and the duration of the attempt.
     *
     * @param slots other slots of a semaphore, with which a further attempt may succeed; none with a lease
     */
    record Outcome(Acquisition acquisition, Duration elapsed, List<Integer> slots) {}

    /** @param callback receives the outcome and returns whether the caller is still interested (R11) */
    AcquireAttempt(AcquireCommand command, AttemptContext context, Predicate<Outcome> callback) {
        this.command = command;
        this.context = context;
        this.callback = callback;
        this.started = context.clock().now();
    }

    void run(List<LockMaster> masters) {
        QuorumRound.run(masters, (master, reply) -> master.acquire(command, reply), Decision.Acquire::decide, this);
    }

    @Override
    public void decided(Decision.Acquire decision, VoteCollector collector, List<LockMaster> masters) {
        decidedAt = context.clock().now();
        AcquireVotes votes = new AcquireVotes(command.terms().ttl(), collector);
        if (decision == Decision.Acquire.WON) {
            context.fencing().agree(command.resources(), command.token(), collector, fence -> {
                fencingToken = fence;
                finish(winningOutcome(votes, fence), votes, masters);
            });
        } else {
            finish(losingOutcome(decision, votes), votes, masters);
        }
    }

    @Override
    public void late(LockMaster master, MasterReply reply) {
        if (abandoned) {
            deleteOwnValue(master, reply);
            if (awaitsAllReplies()) {
                settleOne();
            }
        } else {
            fencingToken.ifPresent(fence ->
                    context.fencing().raiseIfSmaller(master, command.resources(), command.token(), reply, fence));
        }
    }

    private void finish(Acquisition acquisition, AcquireVotes votes, List<LockMaster> masters) {
        boolean held = acquisition.kind() == Acquisition.Kind.HELD;
        lostToOthers = held && !votes.mayBeMajority();
        boolean leased = acquisition.granted().isPresent();
        if (!leased && command.mayBeTriedAgain()) {
            afterCleanUp = Optional.of(() -> deliver(held ? held(votes) : acquisition, votes));
            abandon(votes.collector(), masters);
        } else if (!deliver(acquisition, votes) || !leased) {
            abandon(votes.collector(), masters);
        }
    }

    private boolean deliver(Acquisition acquisition, AcquireVotes votes) {
        List<Integer> slots = acquisition.granted().isPresent() ? List.of() : votes.slots();
        return callback.test(new Outcome(acquisition, elapsed(), slots));
    }

    private void abandon(VoteCollector collector, List<LockMaster> masters) {
        abandoned = true;
        pendingCleanUps = 1 + (awaitsAllReplies() ? collector.outstanding() : 0);
        collector.forEach(masters, MasterReply.class, this::deleteOwnValue);
        settleOne();
    }

    private void deleteOwnValue(LockMaster master, MasterReply reply) {
        if (reply.mayHoldOwnValue()) {
            pendingCleanUps++;
            DeleteCondition.Reason reason =
                    lostToOthers ? DeleteCondition.Reason.WITHDRAWN : DeleteCondition.Reason.RELEASED;
            context.cleanUp()
                    .delete(master, command.condition(reason), command.terms().ttl(), result -> settleOne());
        }
    }

    private void settleOne() {
        if (--pendingCleanUps == 0) {
            Optional<Runnable> next = afterCleanUp;
            afterCleanUp = Optional.empty();
            next.ifPresent(Runnable::run);
        }
    }

    private boolean awaitsAllReplies() {
        return command.slot().isEmpty();
    }

    private Duration elapsed() {
        return context.clock().now().since(started);
    }

    private Acquisition losingOutcome(Decision.Acquire decision, AcquireVotes votes) {
        return switch (decision) {
            case HELD -> held(votes);
            case TOKEN_IN_USE -> new Acquisition.TokenInUse();
            case OTHER_SLOTS -> new Acquisition.OtherSlots(votes.otherSlots());
            default -> new Acquisition.NoQuorum(votes.collector().noQuorumReason());
        };
    }

    /**
     * Subtracts the time since the decision: the clean-up takes up to the timeout of a silent master, and the holder's
     * remaining time passes meanwhile.
     */
    private Acquisition held(AcquireVotes votes) {
        return new Acquisition.Held(votes.taken(command.resources()), votes.isSplit(), Duration.ZERO)
                .later(context.clock().now().since(decidedAt));
    }

    /**
     * Returns the lease, unless no validity is left or no quorum has its fencing token. Measures the validity
     * last (R4, S2).
     */
    private Acquisition winningOutcome(AcquireVotes votes, Optional<FencingToken> fence) {
        Duration elapsed = elapsed();
        EngineSettings settings = context.settings();
        Duration validity = settings.drift().validity(votes.remainingOnMajority(), elapsed);
        if (fence.isEmpty() || validity.isZero()) {
            return new Acquisition.NoQuorum(votes.collector().noQuorumReason());
        }
        Lease lease = new Lease(
                command.resources(),
                command.token(),
                fence.get(),
                command.terms().ttl(),
                validity,
                elapsed,
                Duration.ZERO,
                settings.extensionsLeft(votes.extensionsUsed()),
                votes.collector().votes(votes.count()),
                command.slot());
        return votes.isNewGrant() ? new Acquisition.Acquired(lease) : new Acquisition.Replayed(lease);
    }

    /** Dependencies shared by all attempts. */
    record AttemptContext(
            EngineSettings settings,
            MonotonicClock clock,
            CleanUp cleanUp,
            Fencing fencing,
            Restorer restorer,
            UniqueIds attemptIds) {}
}
