// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A listener that records the trace of each measured acquire, as exemplars do. */
final class Measurements implements LockListener {
    final List<String> acquires = new ArrayList<>();

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        acquires.add(new TraceContext.OfExemplars().getTraceId());
    }

    @Override
    public void extend(Extension outcome, Duration elapsed) {}

    @Override
    public void release(Release outcome, Duration elapsed) {}

    @Override
    public void forceRelease(ForcedRelease outcome) {}

    @Override
    public void splitVote() {}
}
