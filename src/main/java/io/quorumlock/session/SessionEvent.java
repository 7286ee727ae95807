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
}
