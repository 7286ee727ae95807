// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A release signal of one replica. Some announcements are lost, and all of them without a connection (R12). Those of a path
 * that is cut arrive later, unless the connection breaks.
 */
final class LossySignal implements ReleaseSignal {
    private final Replica replica;
    private final Map<ResourceName, Listener> watched = new HashMap<>();
    private final Map<Master, Object> connections = new HashMap<>();

    LossySignal(Replica replica) {
        this.replica = replica;
    }

    @Override
    public Runnable watch(ResourceName resource, Listener listener) {
        watched.put(resource, listener);
        replica.cluster().masters.forEach(master -> subscribed(master, resource));
        return () -> watched.remove(resource, listener);
    }

    boolean isSubscribed(ResourceName resource) {
        return watched.containsKey(resource);
    }

    /** Notifies listeners that announcements of the master are lost. */
    void lost(Master master) {
        connections.remove(master);
        List.copyOf(watched.values()).forEach(listener -> listener.lost(master.number));
    }

    /** Notifies listeners that they may have missed an announcement. */
    void resubscribed(Master master) {
        connections.put(master, new Object());
        List.copyOf(watched.keySet()).forEach(resource -> subscribed(master, resource));
    }

    private void subscribed(Master master, ResourceName resource) {
        announce(master, resource, listener -> listener.subscribed(master.number, true));
    }

    void announce(Master master, ResourceName resource, Consumer<Listener> announcement) {
        Cluster cluster = replica.cluster();
        Object connection = connections.get(master);
        if (connection != null && !cluster.random.percent(cluster.announcementsLost)) {
            long free = Math.max(cluster.events.now(), cluster.network.cutUntil(replica, master, false));
            cluster.events.at(
                    free + cluster.network.delay(master),
                    () -> replica.run(() -> {
                        if (connection == connections.get(master)) {
                            hint(resource, announcement);
                        }
                    }));
        }
    }

    private void hint(ResourceName resource, Consumer<Listener> announcement) {
        Listener listener = watched.get(resource);
        if (listener != null) {
            announcement.accept(listener);
        }
    }
}
