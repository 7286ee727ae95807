// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** One call on the locks of a lease: the rule that decides what is written and answered. It does nothing itself. */
interface Operation<T> {

    ResourceNames resources();

    /** Returns the tokens whose leases the operation may change. */
    Set<LeaseToken> tokens();

    /** Decides on the locks as they are. Called again after another client changed them. */
    Step<T> decide(Snapshot seen);

    /**
     * Returns the outcome after the write.
     *
     * @param after the locks as they were written
     * @param elapsed since the call
     */
    Conclusion<T> written(Snapshot after, Duration elapsed);

    /** Returns the outcome if the store gave no answer. */
    Conclusion<T> failed(Effect effect);

    /**
     * What an operation does next.
     *
     * @param after the locks as it leaves them
     * @param conclusion the outcome; empty if it is that of the write
     * @param hint whether the write is only a hint, which is left out if an earlier one was a conflict
     */
    record Step<T>(Snapshot after, Optional<Conclusion<T>> conclusion, boolean hint) {

        /** Returns the step that writes the locks, and tells the outcome then. */
        static <T> Step<T> write(Snapshot after) {
            return new Step<>(after, Optional.empty(), false);
        }

        /** Returns the step that ends the operation, after a write if the locks differ. */
        static <T> Step<T> end(Snapshot after, Conclusion<T> conclusion) {
            return new Step<>(after, Optional.of(conclusion), false);
        }

        /** Returns the step that ends the operation, after the write of a hint if the locks differ. */
        static <T> Step<T> endWithHint(Snapshot after, Conclusion<T> conclusion) {
            return new Step<>(after, Optional.of(conclusion), true);
        }
    }

    /**
     * The outcome of an operation.
     *
     * @param ifDelivered done if the caller learns of the outcome
     * @param ifNotDelivered done if the caller left (R11)
     */
    record Conclusion<T>(T outcome, Optional<HolderRemoval> ifDelivered, Optional<HolderRemoval> ifNotDelivered) {

        Optional<HolderRemoval> removal(boolean delivered) {
            return delivered ? ifDelivered : ifNotDelivered;
        }

        static <T> Conclusion<T> of(T outcome) {
            return new Conclusion<>(outcome, Optional.empty(), Optional.empty());
        }

        Conclusion<T> with(Optional<HolderRemoval> removal) {
            return new Conclusion<>(outcome, removal, removal);
        }

        Conclusion<T> with(HolderRemoval removal) {
            return with(Optional.of(removal));
        }

        Conclusion<T> ifNotDelivered(HolderRemoval removal) {
            return new Conclusion<>(outcome, Optional.empty(), Optional.of(removal));
        }
    }
}
