// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One call on the locks of a lease: the rule that decides what is written and answered. It does nothing itself. */
interface Operation<T> {

    ResourceNames resources();

    /** Returns the tokens whose leases the operation may change. */
    Set<LeaseToken> tokens();

    /** Decides on the locks as they are. Called again after another client changed them. */
    Decision<T> decide(Sightings seen);

    /**
     * Returns the outcome after the write.
     *
     * @param after the locks as they were written
     * @param elapsed since the call
     */
    Conclusion<T> written(Sightings after, Duration elapsed);

    /** Returns the outcome if the store gave no answer. */
    Conclusion<T> failed(Effect effect);

    /** What an operation does next. */
    sealed interface Decision<T> {
        /** Returns the locks as the operation leaves them. */
        Sightings after(Sightings seen);

        /** Returns the outcome; empty if it is that of the write. */
        Optional<Conclusion<T>> conclusion();
    }

    /**
     * The operation writes its records.
     *
     * @param locks the contents of the records to write, all or none, in the order of the resources
     * @param conclusion the outcome if the write does not give the client what it asked for
     */
    record Write<T>(List<LockRecord> locks, Optional<Conclusion<T>> conclusion) implements Decision<T> {
        Write(List<LockRecord> locks) {
            this(locks, Optional.empty());
        }

        @Override
        public Sightings after(Sightings seen) {
            return seen.after(locks);
        }
    }

    /**
     * The operation ends.
     *
     * @param ifDelivered cleaned up if the caller learns of the outcome
     * @param ifNotDelivered cleaned up if the caller left (R11)
     */
    record Conclusion<T>(T outcome, Optional<CleanUp> ifDelivered, Optional<CleanUp> ifNotDelivered)
            implements Decision<T> {

        @Override
        public Sightings after(Sightings seen) {
            return seen;
        }

        @Override
        public Optional<Conclusion<T>> conclusion() {
            return Optional.of(this);
        }

        Optional<CleanUp> cleanUp(boolean delivered) {
            return delivered ? ifDelivered : ifNotDelivered;
        }

        static <T> Conclusion<T> of(T outcome) {
            return new Conclusion<>(outcome, Optional.empty(), Optional.empty());
        }

        Conclusion<T> with(CleanUp cleanUp) {
            return new Conclusion<>(outcome, Optional.of(cleanUp), Optional.of(cleanUp));
        }

        Conclusion<T> ifDelivered(CleanUp cleanUp) {
            return new Conclusion<>(outcome, Optional.of(cleanUp), Optional.empty());
        }

        Conclusion<T> ifNotDelivered(CleanUp cleanUp) {
            return new Conclusion<>(outcome, Optional.empty(), Optional.of(cleanUp));
        }
    }
}
