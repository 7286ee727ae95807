// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redlock.AcquireAttempt.AttemptContext;
import io.quorumlock.engines.redlock.MasterReply.Absent;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/** One attempt to extend a lease. A failed attempt deletes nothing (R7), unless a majority has lost the lease. */
final class ExtendAttempt implements QuorumRound.Listener<Decision.Extend> {
    private final Command command;
    private final AttemptContext context;
    private final BiConsumer<Extension, Duration> callback;
    private final MonotonicTime started;
    private Optional<Runnable> postponed = Optional.empty();
    private boolean lost;

    /** The parameters of the extension. */
    record Command(ResourceNames resources, LeaseToken token, Duration ttl) {}

    /** @param callback receives the outcome and its duration */
    ExtendAttempt(Command command, AttemptContext context, BiConsumer<Extension, Duration> callback) {
        this.command = command;
        this.context = context;
        this.callback = callback;
        this.started = context.clock().now();
    }

    void run(List<LockMaster> masters) {
        QuorumRound.run(
                masters,
                (master, reply) -> master.extend(command.resources(), command.token(), command.ttl(), reply),
                Decision.Extend::decide,
                this);
    }

    @Override
    public void decided(Decision.Extend decision, VoteCollector collector, List<LockMaster> masters) {
        if (decision == Decision.Extend.EXTENDED) {
            context.fencing()
                    .agree(
                            command.resources(),
                            command.token(),
                            collector,
                            fence -> conclude(collector, fence, masters));
        } else {
            finish(
                    switch (decision) {
                        case EXHAUSTED -> new Extension.Exhausted(
                                context.settings().extensionsMax().orElseThrow());
                        case LOST -> new Extension.Lost(
                                collector.otherHolder().orElseThrow(), collector.lost(command.resources()));
                        default -> new Extension.Unconfirmed(collector.noQuorumReason());
                    });
            lost = decision == Decision.Extend.LOST;
            collector.forEach(masters, MasterReply.class, this::deleteIfLost);
        }
    }

    @Override
    public void late(LockMaster master, MasterReply reply) {
        deleteIfLost(master, reply);
        postponed.ifPresent(Runnable::run);
    }

    /** Deletes what is left of a lost lease: where it may just have been extended, or has no extension left, and its other resources. */
    private void deleteIfLost(LockMaster master, MasterReply reply) {
        boolean mayHold = reply.mayHaveTakenEffect() || reply instanceof MasterReply.Exhausted;
        if (lost && (mayHold || command.resources().count() > 1)) {
            DeleteCondition condition = DeleteCondition.ofLease(command.resources(), command.token());
            context.cleanUp().deleteLease(master, condition, context.settings().ttlMax(), ignored -> {});
        }
    }

    /** Measures the validity last (R4, S2). */
    private void conclude(VoteCollector collector, Optional<FencingToken> fence, List<LockMaster> masters) {
        Duration elapsed = elapsed();
        Duration validity = context.settings().drift().validity(command.ttl(), elapsed);
        if (fence.isEmpty() || validity.isZero()) {
            finish(new Extension.Unconfirmed(collector.noQuorumReason()));
        } else {
            finish(new Extension.Extended(
                    lease(collector, fence.get(), validity, elapsed),
                    context.fencing().age(fence.get())));
            afterAllReplies(collector, () -> restore(fence.get(), collector, masters));
        }
    }

    /** Restores the lease where it is missing, for the next extension. This one does not count these masters. */
    private void restore(FencingToken fence, VoteCollector collector, List<LockMaster> masters) {
        Duration validity = context.settings().drift().validity(command.ttl(), elapsed());
        List<Extended> votes = Decision.Extend.same(collector);
        collector.forEach(masters, Absent.class, (master, absent) -> {
            RestoreCommand missing = new RestoreCommand(
                    command.resources(),
                    command.token(),
                    votes.get(0).attempt(),
                    extensionsUsed(votes),
                    fence,
                    votes.get(0).terms(),
                    context.attemptIds().next());
            context.restorer().restore(master, missing, validity);
        });
    }

    private void afterAllReplies(VoteCollector collector, Runnable action) {
        if (collector.outstanding() > 0) {
            postponed = Optional.of(() -> afterAllReplies(collector, action));
        } else {
            action.run();
        }
    }

    private void finish(Extension extension) {
        callback.accept(extension, elapsed());
    }

    private Duration elapsed() {
        return context.clock().now().since(started);
    }

    private static int extensionsUsed(List<Extended> votes) {
        return votes.stream().mapToInt(Extended::extensionsUsed).max().orElseThrow();
    }

    private Lease lease(VoteCollector collector, FencingToken fence, Duration validity, Duration elapsed) {
        return new Lease(
                command.resources(),
                command.token(),
                fence,
                command.ttl(),
                validity,
                elapsed,
                Duration.ZERO,
                context.settings().extensionsLeft(extensionsUsed(collector.all(Extended.class))),
                collector.votes(Decision.Extend.votes(collector)),
                OptionalInt.empty());
    }
}
