// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

/** A listener for rejected requests. */
public interface SecurityListener {

    void refused(RefusalReason reason);

    /** The reason of a rejected request. */
    enum RefusalReason {
        NO_KEY,
        MALFORMED,
        WRONG_KEY,
        FORBIDDEN,
        OVER_QUOTA,
        TOO_MANY_WAITERS,
        TOO_MANY_STREAMS
    }
}
