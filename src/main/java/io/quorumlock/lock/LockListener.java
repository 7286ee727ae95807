package io.quorumlock.lock;

import java.time.Duration;

/** Hears of every decided call, after the answer was given: for metrics and traces, which stand beside the way. */
public interface LockListener {

    /** Reports an acquire and how long its quorum round took. */
    void acquire(Acquisition outcome, Duration elapsed);

    /** Reports an extension. */
    void extend(Extension outcome, Duration elapsed);

    /** Reports a release. */
    void release(Release outcome, Duration elapsed);

    /** Reports a forced release. */
    void forceRelease(ForcedRelease outcome);

    /** Reports a contest that nobody won: a majority answered, no holder had a majority (a tie). */
    void splitVote();
}
