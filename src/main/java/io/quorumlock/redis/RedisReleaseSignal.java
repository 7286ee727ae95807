// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.waiting.ReleaseSignal;
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
    public Watch watch(ResourceName resource, Listener listener) {
        return subscriptions.listen(keys.releasesOf(resource), (master, message) -> receive(master, message, listener))
                ::run;
    }

    /**
     * Reads "fence replicas" as the release script writes it. An empty message marks the start of the subscription, or
     * the release of another program's lock. Any client can publish another text.
     */
    private static void receive(int master, byte[] message, Listener listener) {
        String[] fields = new String(message, StandardCharsets.US_ASCII).split(" ");
        try {
            listener.released(master, Long.parseLong(fields[0]), Integer.parseInt(fields[1]));
        } catch (NumberFormatException | IndexOutOfBoundsException unreadable) {
            listener.missed(master);
        }
    }
}
