// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.lock.Release;
import io.quorumlock.service.waiting.WaitQueues.WaitListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A listener that stores the events of an engine. */
public final class EventLog implements LockListener, WaitListener {
    /** Outcomes of rounds. */
    public final List<Object> outcomes = new ArrayList<>();
    /** Outcomes of acquires, which may have several rounds. */
    public final List<Acquisition> acquires = new ArrayList<>();

    public int splitVotes;

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        outcomes.add(outcome);
    }

    @Override
    public void extend(Extension outcome, Duration elapsed) {
        outcomes.add(outcome);
    }

    @Override
    public void release(Release outcome, Duration elapsed) {
        outcomes.add(outcome);
    }

    @Override
    public void forceRelease(ForcedRelease outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void splitVote() {
        splitVotes++;
    }

    @Override
    public void acquired(LockKind.Type kind, Acquisition outcome) {
        acquires.add(outcome);
    }

    @Override
    public void waited(Acquisition outcome, Duration elapsed) {
        // Tests check the outcome itself.
    }

    @Override
    public void rejected() {
        // Tests check the outcome itself.
    }
}
