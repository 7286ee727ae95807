// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.Lease;
import java.time.Duration;

/** An event of an open session. The last event is {@link Lost} or {@link Ended}. */
public sealed interface SessionEvent {

    /**
     * The lease was extended.
     *
     * @param since time from the request for the session to the decision of this extension
     */
    record Extended(Lease lease, Duration since) implements SessionEvent {}

    /** The session ended, and the client no longer holds the lease. */
    record Lost(SessionEndReason why) implements SessionEvent {}

    /**
     * The session ended, and the lease is not extended any more.
     *
     * @param since time from the request for the session to its end
     * @param left remaining time of the lease, zero or more
     */
    record Ended(SessionEndReason why, Duration since, Duration left) implements SessionEvent {}

    /** The reason for the end of a session. */
    enum SessionEndReason {
        /** The client disconnected. */
        GONE,
        /** The client disconnected before it got its lease. If the engine generated the token, the lease is released (R11). */
        UNDELIVERED,
        /** The client did not read its event stream. */
        STALLED,
        /** The heartbeat of the client was missing. */
        SILENT,
        /** A majority no longer held the lease: it was released or broken, or it expired. */
        LOST,
        /** No majority confirmed an extension before the lease expired. */
        UNCONFIRMED,
        /** The lease reached the maximum number of extensions (R13). */
        EXHAUSTED,
        /** The session reached its maximum duration. */
        LONGEST,
        /** The same client opened the session again. */
        REPLACED,
        /** This replica is shutting down. */
        SHUTDOWN
    }
}
