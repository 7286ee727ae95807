// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import io.quorumlock.core.lock.Release.Holder;
import java.time.Duration;
import java.util.Optional;

/** The outcome of an extension. A failed extension deletes nothing (R7). */
public sealed interface Extension extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        EXTENDED,
        LOST,
        NOT_OWNER,
        EXHAUSTED,
        UNCONFIRMED
    }

    /**
     * A quorum of masters still held the lease and confirmed the extension.
     *
     * @param age time since the grant of the lease, for display only; empty if it is not known
     */
    record Extended(Lease lease, Optional<Duration> age) implements Extension {
        @Override
        public Kind kind() {
            return Kind.EXTENDED;
        }
    }

    /**
     * A majority no longer holds this lease.
     *
     * @param lost the resource that was lost, if the lease has several; the others are released
     */
    record Lost(Holder holder, Optional<ResourceName> lost) implements Extension {
        @Override
        public Kind kind() {
            return holder == Holder.ANOTHER ? Kind.NOT_OWNER : Kind.LOST;
        }
    }

    /** The lease reached the maximum number of extensions (R13). */
    record Exhausted(int most) implements Extension {
        @Override
        public Kind kind() {
            return Kind.EXHAUSTED;
        }
    }

    /** No decision: the lease may or may not have been extended. It is as valid as it was before. */
    record Unconfirmed(NoQuorumReason why) implements Extension {
        @Override
        public Kind kind() {
            return Kind.UNCONFIRMED;
        }
    }
}
