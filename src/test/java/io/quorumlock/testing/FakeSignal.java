// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Scheduler;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A release signal that delivers the announcements of fake masters while it is connected. */
public final class FakeSignal implements ReleaseSignal {
    private final Map<ResourceName, Listener> watched = new HashMap<>();
    private final List<FakeMaster> masters;
    private final Scheduler time;
    private final BitSet connected = new BitSet();

    FakeSignal(List<FakeMaster> masters, Scheduler time) {
        this.masters = masters;
        this.time = time;
        for (int i = 0; i < masters.size(); i++) {
            int number = i;
            connected.set(i);
            masters.get(i).announceTo(new FakeMaster.Subscriber() {
                @Override
                public boolean isSubscribed(ResourceName resource) {
                    return watched.containsKey(resource);
                }

                @Override
                public void released(ResourceName resource, long fence, int replicas) {
                    announce(number, resource, listener -> {
                        if (fence == 0) {
                            listener.released(number);
                        } else {
                            listener.released(number, fence, replicas);
                        }
                    });
                }
            });
        }
    }

    /** Ends the subscriptions on all masters permanently. */
    public void cut() {
        for (int i = 0; i < masters.size(); i++) {
            cut(i);
        }
    }

    /** Ends the subscriptions on one master. */
    public void cut(int master) {
        connected.clear(master);
        List.copyOf(watched.values()).forEach(listener -> listener.lost(master));
    }

    /** Subscribes on one master again. */
    public void restore(int master) {
        connected.set(master);
        List.copyOf(watched.keySet()).forEach(resource -> subscribe(master, resource));
    }

    /** Counts the watched resources. */
    public int watches() {
        return watched.size();
    }

    @Override
    public Runnable watch(ResourceName resource, Listener listener) {
        watched.put(resource, listener);
        for (int i = 0; i < masters.size(); i++) {
            int number = i;
            time.after(masters.get(i).latency(), () -> subscribe(number, resource));
        }
        return () -> watched.remove(resource);
    }

    private void subscribe(int master, ResourceName resource) {
        announce(master, resource, listener -> listener.subscribed(master, true));
    }

    private void announce(int master, ResourceName resource, Consumer<Listener> announcement) {
        Listener listener = watched.get(resource);
        if (connected.get(master) && listener != null) {
            announcement.accept(listener);
        }
    }
}
