// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

/** The reason of a rejected request. */
public enum RefusalReason {
    NO_KEY,
    MALFORMED,
    WRONG_KEY,
    FORBIDDEN,
    OVER_QUOTA,
    TOO_MANY_WAITERS,
    TOO_MANY_STREAMS
}
