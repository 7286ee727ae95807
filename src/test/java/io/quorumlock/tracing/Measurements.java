package io.quorumlock.tracing;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Remembers in the name of which trace acquires were measured, as the metrics find it out. */
final class Measurements implements LockListener {
    final List<String> ofAcquires = new ArrayList<>();

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        ofAcquires.add(new Exemplars().getTraceId());
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
