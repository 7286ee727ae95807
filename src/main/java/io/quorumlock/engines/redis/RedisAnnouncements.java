// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.loop.MonotonicTime;

/** The announcements of lock events by the masters, on one channel for all locks. */
public final class RedisAnnouncements implements Announcements {
    /** The scripts publish here only while there are subscribers. */
    public static final String CHANNEL = "quorumlock:events";

    private final AnnouncementText text;
    private final Subscriptions subscriptions;
    private final int quorum;

    public RedisAnnouncements(KeyPrefixes keys, Subscriptions subscriptions, int quorum) {
        this.text = new AnnouncementText(keys);
        this.subscriptions = subscriptions;
        this.quorum = quorum;
    }

    @Override
    public int quorum() {
        return quorum;
    }

    @Override
    public Runnable listen(Listener listener) {
        return subscriptions.listen(CHANNEL, new Subscriptions.Listener() {
            @Override
            public void subscribed(int master) {
                listener.subscribed(master);
            }

            @Override
            public void received(int master, byte[] message) {
                text.read(message).ifPresent(announcement -> listener.announced(master, announcement));
            }

            @Override
            public void lost(int master, MonotonicTime since) {
                listener.subscriptionLost(master, since);
            }
        });
    }
}
