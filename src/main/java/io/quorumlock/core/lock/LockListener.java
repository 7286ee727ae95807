// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;

/** A listener for metrics, called with every outcome after the caller got it. */
public interface LockListener {

    /** Called after an acquire with the duration of its last attempt, without waits. */
    void acquire(Acquisition outcome, Duration elapsed);

    /** Called after an extension. */
    void extend(Extension outcome, Duration elapsed);

    /** Called after a release. */
    void release(Release outcome, Duration elapsed);

    /** Called after a forced release. */
    void forceRelease(ForcedRelease outcome);

    /** Called after a split vote: a majority answered, but no client won a majority. */
    void splitVote();
}
