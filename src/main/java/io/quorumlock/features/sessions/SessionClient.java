// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import java.time.Duration;
import java.util.Locale;

/**
 * The receiver of the events of one session. It is called on the event loop, in the order of the events, and must not
 * block. A session that begins ends with {@link #lost} or {@link #ended}.
 */
public interface SessionClient {

    /** Called when the lease is acquired. */
    void began(Lease lease);

    /** Called instead of {@link #began}: the lease was not acquired. */
    void refused(Acquisition why);

    /** Called instead of {@link #began}: with a {@link io.quorumlock.http.ProblemException} for the client, or with a bug. */
    void failed(Throwable why);

    /**
     * Called when the lease is extended.
     *
     * @param since time from the request for the session to the decision of this extension
     */
    void extended(Lease lease, Duration since);

    /** Called at the end of a session whose lease is over. */
    void lost(SessionEndReason why);

    /**
     * Called at the end of a session whose lease is not extended any more.
     *
     * @param since time from the request for the session to its end
     * @param left remaining time of the lease, zero or more
     */
    void ended(SessionEndReason why, Duration since, Duration left);

    /** The reason for the end of a session. */
    enum SessionEndReason {
        /** The client disconnected, or did not read its event stream. */
        GONE,
        /** The client disconnected before it got its lease. */
        UNDELIVERED,
        /** A majority no longer held the lease: it was released or broken, or it expired. */
        LOST,
        /** No majority confirmed an extension before the lease expired. */
        UNCONFIRMED,
        /** The lease reached the maximum number of extensions (R13). */
        EXHAUSTED,
        /** This replica is shutting down. */
        SHUTDOWN;

        /** Returns the reason as in events and meters. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
