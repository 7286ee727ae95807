package io.quorumlock.lock;

import java.time.Duration;

/** Is what the holder of a session hears: first how it began, if it did, and at last, once, how it ended. */
public sealed interface SessionNews {

    /** Not begun: the lease was not had. */
    record Refused(Acquisition why) implements SessionNews {}

    /** Not begun: there are as many as may be. */
    record TooMany(int most) implements SessionNews {}

    /** Not begun: a bug. */
    record Failed(Throwable bug) implements SessionNews {}

    /** Begun, with this lease. */
    record Begun(Lease lease) implements SessionNews {}

    /**
     * Goes on.
     *
     * @param since from when the session was asked for until this was decided
     */
    record Extended(Lease lease, Duration since) implements SessionNews {}

    /** Over, and so is the lease. */
    record Lost(SessionEnd why) implements SessionNews {}

    /**
     * Over, and the lease is not extended any more.
     *
     * @param since from when the session was asked for until now
     * @param left what is left of the lease, zero or more
     */
    record Ended(SessionEnd why, Duration since, Duration left) implements SessionNews {}
}
