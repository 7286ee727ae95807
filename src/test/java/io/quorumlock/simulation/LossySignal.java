// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.waiting.ReleaseSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A release signal of one replica. Some announcements are lost, and all of them without a connection (R12). */
final class LossySignal implements ReleaseSignal {
    private final Replica replica;
    private final Map<ResourceName, Listener> watched = new HashMap<>();

    LossySignal(Replica replica) {
        this.replica = replica;
    }

    @Override
    public Watch watch(ResourceName resource, Listener listener) {
        watched.put(resource, listener);
        replica.world().masters.forEach(master -> announce(master, resource, false));
        return () -> watched.remove(resource, listener);
    }

    /** Returns whether this replica is subscribed. */
    boolean announce(Master master, ResourceName resource, boolean passedOn) {
        World world = replica.world();
        if (watched.containsKey(resource)
                && world.weather.reaches(replica, master)
                && !world.chance.percent(world.announcementsLost)) {
            world.agenda.after(world.weather.delay(master), () -> replica.run(() -> hint(master, resource, passedOn)));
        }
        return watched.containsKey(resource);
    }

    /** Notifies listeners that they may have missed an announcement. */
    void resubscribed(Master master) {
        List.copyOf(watched.keySet()).forEach(resource -> announce(master, resource, false));
    }

    private void hint(Master master, ResourceName resource, boolean passedOn) {
        Listener listener = watched.get(resource);
        if (listener != null) {
            listener.released(master.number, passedOn);
        }
    }
}
