package io.quorumlock.session;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import java.time.Duration;

/** Is what the holder of a session hears: first how it began, if it did, and at last, once, how it ended. */
public sealed interface SessionEvent {

    /** Not begun: the lease was not had. */
    record Refused(Acquisition why) implements SessionEvent {}

    /** Not begun: there are as many as may be. */
    record TooMany(int most) implements SessionEvent {}

    /** Not begun: a bug. */
    record Failed(Throwable bug) implements SessionEvent {}

    /** Begun, with this lease. */
    record Begun(Lease lease) implements SessionEvent {}

    /**
     * Goes on.
     *
     * @param since from when the session was asked for until this was decided
     */
    record Extended(Lease lease, Duration since) implements SessionEvent {}

    /** Over, and so is the lease. */
    record Lost(SessionEndReason why) implements SessionEvent {}

    /**
     * Over, and the lease is not extended any more.
     *
     * @param since from when the session was asked for until now
     * @param left what is left of the lease, zero or more
     */
    record Ended(SessionEndReason why, Duration since, Duration left) implements SessionEvent {}
}
