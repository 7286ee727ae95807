package io.quorumlock.redis;

import io.quorumlock.events.Announcements;
import io.quorumlock.time.Surroundings;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Hears what the nodes announce of all locks, on a connection of its own to each, opened when it is first needed. */
public final class RedisAnnouncements implements Announcements {
    /** The scripts publish here only while somebody listens. */
    static final String CHANNEL = "quorumlock:events";

    private static final Listener NOBODY = (node, announcement) -> {};

    private final AnnouncementText text;
    private final Surroundings surroundings;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private Set<String> wanted = Set.of();
    private Listener listener = NOBODY;

    public RedisAnnouncements(
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            Surroundings surroundings) {
        this.text = new AnnouncementText(keys);
        this.surroundings = surroundings;
        for (NodeAddress address : addresses) {
            Dialer dialer = new Dialer(vertx, surroundings.scheduler(), address, settings);
            int node = subscriptions.size();
            subscriptions.add(new Subscription(dialer, settings, surroundings, new Subscription.Channels() {
                @Override
                public Set<String> wanted() {
                    return wanted;
                }

                @Override
                public void heard(String channel, byte[] message) {
                    text.read(message).ifPresent(announcement -> listener.heard(node, announcement));
                }
            }));
        }
    }

    @Override
    public Listening listen(Listener next) {
        listener = next;
        wanted = Set.of(CHANNEL);
        subscriptions.forEach(subscription -> subscription.add(CHANNEL));
        return () -> {
            listener = NOBODY;
            wanted = Set.of();
            subscriptions.forEach(subscription -> subscription.remove(CHANNEL));
        };
    }

    /** Closes all connections, for good. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> subscriptions.forEach(Subscription::close), surroundings.loop());
    }
}
