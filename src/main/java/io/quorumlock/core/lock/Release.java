// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a release. */
public sealed interface Release extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        RELEASED,
        LOST,
        NOT_OWNER,
        UNCONFIRMED
    }

    /** The lease was deleted, and a quorum no longer has it: the resource is free. */
    record Released() implements Release {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }
    }

    /**
     * A majority did not hold this lease.
     *
     * @param lost the resource that was lost, if the lease has several; the others are released
     */
    record NotHeld(Holder holder, Optional<ResourceName> lost) implements Release {
        @Override
        public Kind kind() {
            return holder == Holder.ANOTHER ? Kind.NOT_OWNER : Kind.LOST;
        }
    }

    /**
     * Fewer masters than a quorum confirmed the release. It is retried in the background, and the caller may repeat it.
     *
     * @param remaining longest time until the lease expires
     */
    record Unconfirmed(NoQuorumReason why, Duration remaining) implements Release {
        @Override
        public Kind kind() {
            return Kind.UNCONFIRMED;
        }
    }

    /** The holder of a resource that the caller does not hold. */
    enum Holder {
        NOBODY,
        ANOTHER
    }
}
