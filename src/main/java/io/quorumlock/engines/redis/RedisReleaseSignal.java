// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.nio.charset.StandardCharsets;

/** The announcements of releases by the masters, on one channel for each resource with waiters. */
public final class RedisReleaseSignal implements ReleaseSignal {
    private final KeyPrefixes keys;
    private final Subscriptions subscriptions;

    public RedisReleaseSignal(KeyPrefixes keys, Subscriptions subscriptions) {
        this.keys = keys;
        this.subscriptions = subscriptions;
    }

    @Override
    public Runnable watch(ResourceName resource, Listener listener) {
        return subscriptions.listen(keys.releasesOf(resource), new Subscriptions.Listener() {
            @Override
            public void subscribed(int master) {
                listener.subscribed(master, true);
            }

            @Override
            public void received(int master, byte[] message) {
                receive(master, message, listener);
            }

            @Override
            public void lost(int master, MonotonicTime lastAlive) {
                listener.lost(master);
            }
        });
    }

    /**
     * Reads "fence replicas" as the release script writes it. An empty message marks the release of one of several
     * leases, or of another program's lock. Any client can publish another text.
     */
    private static void receive(int master, byte[] message, Listener listener) {
        String[] fields = new String(message, StandardCharsets.US_ASCII).split(" ");
        try {
            listener.released(master, Long.parseLong(fields[0]), Integer.parseInt(fields[1]));
        } catch (NumberFormatException | IndexOutOfBoundsException unreadable) {
            listener.released(master);
        }
    }
}
