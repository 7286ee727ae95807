// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Scheduler;
import io.quorumlock.waiting.ReleaseSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A release signal that delivers the announcements of fake masters until it is cut. */
public final class FakeSignal implements ReleaseSignal {
    private final Map<ResourceName, Listener> watched = new HashMap<>();
    private final List<FakeMaster> masters;
    private final Scheduler time;
    private boolean cut;

    FakeSignal(List<FakeMaster> masters, Scheduler time) {
        this.masters = masters;
        this.time = time;
        for (int i = 0; i < masters.size(); i++) {
            int number = i;
            masters.get(i).announceTo(new FakeMaster.Subscriber() {
                @Override
                public boolean isSubscribed(ResourceName resource) {
                    return watched.containsKey(resource);
                }

                @Override
                public void released(ResourceName resource, long fence, int replicas) {
                    announce(resource, listener -> {
                        if (fence == 0) {
                            listener.missed(number);
                        } else {
                            listener.released(number, fence, replicas);
                        }
                    });
                }
            });
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
        for (int i = 0; i < masters.size(); i++) {
            int number = i;
            time.after(masters.get(i).latency(), () -> announce(resource, subscribed -> subscribed.missed(number)));
        }
        return () -> watched.remove(resource);
    }

    private void announce(ResourceName resource, Consumer<Listener> announcement) {
        Listener listener = watched.get(resource);
        if (!cut && listener != null) {
            announcement.accept(listener);
        }
    }
}
