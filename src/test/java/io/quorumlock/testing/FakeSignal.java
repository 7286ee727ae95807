package io.quorumlock.testing;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Scheduler;
import io.quorumlock.waiting.ReleaseSignal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Carries what fake nodes announce, as long as nobody cuts it. */
public final class FakeSignal implements ReleaseSignal {
    private final Map<ResourceName, IntConsumer> watched = new HashMap<>();
    private final int nodes;
    private final Scheduler time;
    private boolean cut;

    FakeSignal(List<FakeNode> nodes, Scheduler time) {
        this.nodes = nodes.size();
        this.time = time;
        for (int i = 0; i < nodes.size(); i++) {
            int number = i;
            nodes.get(i).announceTo(resource -> announce(resource, number));
        }
    }

    /** Loses everything from now on. */
    public void cut() {
        cut = true;
    }

    /** Counts the resources that are listened for. */
    public int watches() {
        return watched.size();
    }

    @Override
    public Watch watch(ResourceName resource, IntConsumer hint) {
        watched.put(resource, hint);
        for (int i = 0; i < nodes; i++) {
            announce(resource, i);
        }
        return () -> watched.remove(resource);
    }

    private void announce(ResourceName resource, int node) {
        if (!cut) {
            time.after(Duration.ofMillis(1), () -> {
                IntConsumer hint = watched.get(resource);
                if (hint != null) {
                    hint.accept(node);
                }
            });
        }
    }
}
