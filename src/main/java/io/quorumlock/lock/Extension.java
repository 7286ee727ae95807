// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Release.Holder;

/** The outcome of an extension. A failed extension deletes nothing (R7), with the exception of {@link TooShort}. */
public sealed interface Extension {

    /** Returns the result of the function for this kind of outcome. */
    <R> R fold(Cases<R> cases);

    /**
     * One function for each kind of outcome.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        R extended(Extended outcome);

        R lost(Lost outcome);

        R tooShort(TooShort outcome);

        R exhausted(Exhausted outcome);

        R unconfirmed(Unconfirmed outcome);
    }

    /** A quorum of nodes still held the lease and confirmed the extension. */
    record Extended(Lease lease) implements Extension {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.extended(this);
        }
    }

    /** A majority no longer holds this lease. */
    record Lost(Holder holder) implements Extension {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.lost(this);
        }
    }

    /**
     * A quorum confirmed the extension, but with less validity than the holder needs. The lease was released.
     */
    record TooShort(ValidityShortage shortage) implements Extension {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.tooShort(this);
        }
    }

    /** The lease reached the maximum number of extensions (R13). */
    record Exhausted(int most) implements Extension {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.exhausted(this);
        }
    }

    /** No decision: the lease may or may not have been extended. It is as valid as it was before. */
    record Unconfirmed(NoQuorumReason why) implements Extension {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.unconfirmed(this);
        }
    }
}
