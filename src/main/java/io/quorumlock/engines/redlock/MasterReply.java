// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The reply of one master. */
public sealed interface MasterReply {

    /** A vote with the lease's fencing token as the master knows it. */
    sealed interface Fenced extends MasterReply {
        FencingToken fence();

        /**
         * Returns a lower bound of the time since the grant; empty if the token was already checked against the clocks.
         */
        Optional<Duration> age();
    }

    /** Acquire: this attempt's value was written, for the whole TTL. */
    record Granted(FencingToken fence) implements Fenced {
        @Override
        public Optional<Duration> age() {
            return Optional.of(Duration.ZERO);
        }
    }

    /**
     * Acquire: an earlier attempt with the same token and terms had written the lock. The master has marked the value, so
     * that the clean-up of neither attempt deletes it.
     */
    record Adopted(Duration remaining, int extensionsUsed, FencingToken fence, Optional<Duration> age)
            implements Fenced {}

    /**
     * Acquire: other clients hold locks.
     *
     * @param taken the locks that are held; at least one
     * @param slots the other slots of a semaphore that are free, or the one that the token has
     */
    record Refused(List<Conflict> taken, List<Integer> slots) implements MasterReply {

        /**
         * A lock that another client holds.
         *
         * @param index of the resource in the command
         * @param holder identifies the holder; for comparison only, must not be shown
         * @param ours whether a lease of this service holds it: another program did not write the value, and it is not kept
         * @param kept whether it was released and is kept
         */
        public record Conflict(
                int index,
                Duration remaining,
                Optional<Owner> owner,
                String holder,
                boolean ours,
                boolean kept,
                LockKind kind) {
            @Override
            public String toString() {
                return "Conflict[index=" + index + ", remaining=" + remaining + ", owner=" + owner + "]";
            }
        }

        Conflict first() {
            return taken.get(0);
        }
    }

    /** Acquire: the semaphore is in use with another number of slots. */
    record OtherSlots(int slots) implements MasterReply {}

    /** Acquire: the same token holds some of the locks, or holds them on other terms. */
    record TokenInUse() implements MasterReply {}

    /**
     * Extend: the token still held the lock, which has the new TTL.
     *
     * @param attempt the name in the value; an adoption changes it
     * @param terms the rest of the value, with the slot of a semaphore: a failed attempt may have left another one
     */
    record Extended(int extensionsUsed, FencingToken fence, String attempt, Optional<Duration> age, String terms)
            implements Fenced {}

    /** Extend: the token still holds the lock, but the lock reached the maximum number of extensions (R13). */
    record Exhausted() implements MasterReply {}

    /** Raise: the master has stored the fencing token. */
    record Raised() implements MasterReply {}

    /**
     * Permit: the lease may be restored.
     *
     * @param permit the name of the permission, which may be an earlier one
     */
    record Permitted(String permit) implements MasterReply {}

    /** Restore: the master has the lease. */
    record Restored() implements MasterReply {}

    /** Release: the lock was deleted. */
    record Deleted() implements MasterReply {}

    /** A reply of a master that does not have the caller's lease. */
    sealed interface NotHolding extends MasterReply {
        /** Returns the index of the first resource of the command that the caller does not hold. */
        int index();
    }

    /** Extend, raise, release, inspect: the resource is free. Restore: it is not permitted. */
    record Absent(int index) implements NotHolding {
        public Absent() {
            this(0);
        }
    }

    /** Extend, raise, permit, restore, release: another client holds the lock. */
    record HeldByAnother(int index) implements NotHolding {}

    /**
     * Inspect: the lock.
     *
     * @param all at least one holder
     */
    record Held(List<Holding> all) implements MasterReply {

        /**
         * One holder.
         *
         * @param holder identifies the holder; for comparison only, must not be shown
         * @param attempt the attempt that wrote the current value; empty if another program wrote it
         * @param extensionsUsed 0 if another program wrote the value
         * @param slot of a semaphore
         * @param fence empty if another program wrote the value
         * @param names all resources of the lease; empty for one, or if they are not known
         */
        public record Holding(
                String holder,
                Optional<String> attempt,
                int extensionsUsed,
                Optional<Owner> owner,
                LockKind kind,
                Optional<Integer> slot,
                Duration remaining,
                Optional<FencingToken> fence,
                List<ResourceName> names) {
            @Override
            public String toString() {
                return "Holding[hidden]";
            }
        }
    }

    /**
     * Scan: some of the locks, in any order, possibly repeated.
     *
     * @param next the cursor of the next step; empty at the end
     */
    record Scanned(List<ResourceName> found, Optional<String> next) implements MasterReply {}

    /**
     * No vote, for any command.
     *
     * @param sent whether the command may have reached the master and taken effect
     */
    record Failed(ServerFailure reason, boolean sent) implements MasterReply {}

    /** Returns whether this is a vote for an acquire. */
    default boolean isVote() {
        return this instanceof Granted || this instanceof Adopted;
    }

    /**
     * Returns whether the attempt's own value may be on the master now or later (R5). A refusal proves that it is not. An
     * adopted value was written by another attempt, and may belong to a lease that a client already has.
     */
    default boolean mayHoldOwnValue() {
        return this instanceof Granted || isSentAndFailed();
    }

    /** Returns whether the command may have changed a lease. An adoption does not. */
    default boolean mayHaveTakenEffect() {
        return this instanceof Granted || this instanceof Extended || this instanceof Deleted || isSentAndFailed();
    }

    private boolean isSentAndFailed() {
        return this instanceof Failed failed && failed.sent();
    }
}
