package io.quorumlock.lock;

import java.time.Duration;

/** Is how a release ended. */
public sealed interface Release {

    /**
     * Deleted, and a quorum no longer has it: the resource is free.
     *
     * @param contested whether several replicas have somebody who waits for it, as far as is known
     */
    record Released(boolean contested) implements Release {
        public Released() {
            this(false);
        }
    }

    /** Not deleted: a majority did not hold this lease. */
    record NotHeld(Holder holder) implements Release {}

    /**
     * Reached fewer nodes than a quorum. It is repeated in the background and safe to repeat by the caller.
     *
     * @param remaining after which the lease has ended by itself at the latest
     */
    record Unconfirmed(NoQuorumReason why, Duration remaining) implements Release {}
}
