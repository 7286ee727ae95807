// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.time.Duration;

/** The outcome of a release. */
public sealed interface Release {

    /** Returns the result of the function for this kind of outcome. */
    <R> R fold(Cases<R> cases);

    /**
     * One function for each kind of outcome.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        R released(Released outcome);

        R notHeld(NotHeld outcome);

        R unconfirmed(Unconfirmed outcome);
    }

    /**
     * The lease was deleted, and a quorum no longer has it: the resource is free.
     *
     * @param contested whether clients wait for the resource at several replicas, as far as this replica knows
     */
    record Released(boolean contested) implements Release {
        public Released() {
            this(false);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.released(this);
        }
    }

    /** Nothing was deleted, because a majority did not hold this lease. */
    record NotHeld(Holder holder) implements Release {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.notHeld(this);
        }
    }

    /**
     * Fewer nodes than a quorum confirmed the release. It is retried in the background, and the caller may repeat it.
     *
     * @param remaining longest time until the lease expires
     */
    record Unconfirmed(NoQuorumReason why, Duration remaining) implements Release {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.unconfirmed(this);
        }
    }

    /** The holder of a resource that the caller does not hold. */
    enum Holder {
        NOBODY,
        ANOTHER
    }
}
