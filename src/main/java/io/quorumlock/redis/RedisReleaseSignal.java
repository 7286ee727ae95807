package io.quorumlock.redis;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Surroundings;
import io.quorumlock.waiting.ReleaseSignal;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * Hears the releases that the nodes announce: one channel for each resource that somebody here waits for, on a connection of
 * its own to each node, which is opened when it is first needed and kept.
 */
public final class RedisReleaseSignal implements ReleaseSignal {
    private final KeyPrefixes keys;
    private final Surroundings surroundings;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Map<String, IntConsumer> watched = new HashMap<>();

    public RedisReleaseSignal(
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            Surroundings surroundings) {
        this.keys = keys;
        this.surroundings = surroundings;
        for (NodeAddress address : addresses) {
            Dialer dialer = new Dialer(vertx, surroundings.scheduler(), address, settings);
            int node = subscriptions.size();
            subscriptions.add(new Subscription(dialer, settings, surroundings, new Subscription.Channels() {
                @Override
                public Set<String> wanted() {
                    return watched.keySet();
                }

                @Override
                public void heard(String channel, byte[] message) {
                    hear(channel, node);
                }
            }));
        }
    }

    @Override
    public Watch watch(ResourceName resource, IntConsumer hint) {
        String channel = keys.releasesOf(resource);
        watched.put(channel, hint);
        subscriptions.forEach(subscription -> subscription.add(channel));
        return () -> {
            watched.remove(channel);
            subscriptions.forEach(subscription -> subscription.remove(channel));
        };
    }

    private void hear(String channel, int node) {
        IntConsumer hint = watched.get(channel);
        if (hint != null) {
            hint.accept(node);
        }
    }

    /** Closes all connections, for good. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> subscriptions.forEach(Subscription::close), surroundings.loop());
    }
}
