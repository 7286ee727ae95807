// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

/** The conclusion of a client from an answer, or from the lack of one. */
public enum Outcome {
    /** The call took effect. */
    DONE,
    /** The acquire returned the lease of an earlier one with the same token. */
    REPLAYED,
    /** Another client holds the lock. */
    HELD,
    /** The lease of the token has ended, or there was none. */
    LOST,
    /** Less validity was left than required. A lease that the token had was released. */
    /** Too few masters answered, and nothing changed. */
    NO_QUORUM,
    /** Too few masters answered, and the call may take effect later. */
    UNCONFIRMED,
    /** The service did not execute the call. */
    REJECTED,
    /** The session ended without a lease, but did not lose one. */
    ENDED,
    /** There was no connection. */
    REFUSED,
    /** No answer arrived. */
    UNANSWERED,
    /** The client disconnected before the answer. */
    LEFT;

    public boolean isAnswer() {
        return this != REFUSED && this != UNANSWERED && this != LEFT;
    }

    /** Returns whether the call may take effect later. */
    public boolean isUnknown() {
        return this == UNCONFIRMED || this == UNANSWERED || this == LEFT;
    }
}
