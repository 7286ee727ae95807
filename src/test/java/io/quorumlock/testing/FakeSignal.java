// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.time.Scheduler;
import io.quorumlock.waiting.ReleaseSignal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A release signal that delivers the announcements of fake nodes until it is cut. */
public final class FakeSignal implements ReleaseSignal {
    private final Map<ResourceName, Listener> watched = new HashMap<>();
    private final int nodes;
    private final Scheduler time;
    private boolean cut;

    FakeSignal(List<FakeNode> nodes, Scheduler time) {
        this.nodes = nodes.size();
        this.time = time;
        for (int i = 0; i < nodes.size(); i++) {
            int number = i;
            nodes.get(i)
                    .announceTo(condition -> announce(
                            condition.resource(), number, condition.reason() == DeleteCondition.Reason.PASSED_ON));
        }
    }

    /** Drops all announcements from now on. */
    public void cut() {
        cut = true;
    }

    /** Counts the watched resources. */
    public int watches() {
        return watched.size();
    }

    @Override
    public Watch watch(ResourceName resource, Listener listener) {
        watched.put(resource, listener);
        for (int i = 0; i < nodes; i++) {
            announce(resource, i, false);
        }
        return () -> watched.remove(resource);
    }

    private boolean announce(ResourceName resource, int node, boolean passedOn) {
        boolean listens = watched.containsKey(resource);
        if (!cut) {
            time.after(Duration.ofMillis(1), () -> {
                Listener listener = watched.get(resource);
                if (listener != null) {
                    listener.released(node, passedOn);
                }
            });
        }
        return listens;
    }
}
