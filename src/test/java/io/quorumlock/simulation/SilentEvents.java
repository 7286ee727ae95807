package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeListener;
import io.quorumlock.waiting.WaitListener;
import java.time.Duration;

/** Counts restarts of masters; of all other events the history tells. */
record SilentEvents(World world) implements NodeListener, WaitListener {
    @Override
    public void waited(Acquisition outcome, Duration elapsed) {
        // The history tells.
    }

    @Override
    public void rejected() {
        throw new IllegalStateException("there is no limit");
    }

    @Override
    public void answered(String node, String command, Duration elapsed) {
        // The history tells.
    }

    @Override
    public void failed(String node, NodeFailure reason) {
        // The history tells.
    }

    @Override
    public void restarted(String node) {
        world.sawRestart();
    }
}
