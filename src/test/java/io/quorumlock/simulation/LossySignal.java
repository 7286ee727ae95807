// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.waiting.ReleaseSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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
        replica.cluster().masters.forEach(master -> subscribed(master, resource));
        return () -> watched.remove(resource, listener);
    }

    boolean isSubscribed(ResourceName resource) {
        return watched.containsKey(resource);
    }

    /** Notifies listeners that they may have missed an announcement. */
    void resubscribed(Master master) {
        List.copyOf(watched.keySet()).forEach(resource -> subscribed(master, resource));
    }

    private void subscribed(Master master, ResourceName resource) {
        announce(master, resource, listener -> listener.missed(master.number));
    }

    void announce(Master master, ResourceName resource, Consumer<Listener> announcement) {
        Cluster cluster = replica.cluster();
        if (cluster.network.reaches(replica, master) && !cluster.random.percent(cluster.announcementsLost)) {
            cluster.events.after(cluster.network.delay(master), () -> replica.run(() -> hint(resource, announcement)));
        }
    }

    private void hint(ResourceName resource, Consumer<Listener> announcement) {
        Listener listener = watched.get(resource);
        if (listener != null) {
            announcement.accept(listener);
        }
    }
}
