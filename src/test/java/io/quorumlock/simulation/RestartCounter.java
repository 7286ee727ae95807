// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitListener;
import io.quorumlock.simulation.Coverage.Measure;
import java.time.Duration;

/** A listener that counts restarts of masters. The history contains all other events. */
record RestartCounter(Cluster cluster) implements ServerListener, WaitListener {
    @Override
    public void acquired(LockKind.Type kind, Acquisition outcome) {
        // The history contains this.
    }

    @Override
    public void waited(Acquisition outcome, Duration elapsed) {
        // The history contains this.
    }

    @Override
    public void rejected() {
        throw new IllegalStateException("there must be no rejection");
    }

    @Override
    public void answered(String master, String command, Duration elapsed) {
        // The history contains this.
    }

    @Override
    public void failed(String master, ServerFailure reason) {
        // The history contains this.
    }

    @Override
    public void restarted(String master) {
        cluster.coverage.count(Measure.RESTART_DETECTED);
    }
}
