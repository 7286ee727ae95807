// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The subscriber connections to all masters, one to each. They are separate from those for commands, opened on first use, and kept.
 */
public final class Subscriptions {
    private final EngineContext engineContext;
    private final List<Subscription> masters = new ArrayList<>();
    private final Map<String, Listener> listeners = new HashMap<>();

    /** A listener to one channel. */
    interface Listener {
        /** Called when the subscription on a master starts, also after a reconnect. */
        void subscribed(int master);

        void received(int master, byte[] message);

        /**
         * Called when the subscription on a master is lost. All messages from its last data until the next start are lost
         * too.
         */
        void lost(int master, MonotonicTime lastAlive);
    }

    public Subscriptions(
            List<MasterAddress> addresses, LinkSettings settings, Vertx vertx, EngineContext engineContext) {
        this.engineContext = engineContext;
        for (MasterAddress address : addresses) {
            int master = masters.size();
            MasterConnector connector = new RedisConnector(vertx, engineContext.scheduler(), address, settings);
            masters.add(new Subscription(connector, settings, engineContext, new Subscription.Channels() {
                @Override
                public Set<String> wanted() {
                    return listeners.keySet();
                }

                @Override
                public void subscribed(String channel) {
                    listener(channel).ifPresent(listener -> listener.subscribed(master));
                }

                @Override
                public void received(String channel, byte[] message) {
                    listener(channel).ifPresent(listener -> listener.received(master, message));
                }

                @Override
                public void lost(MonotonicTime lastAlive) {
                    List.copyOf(listeners.values()).forEach(listener -> listener.lost(master, lastAlive));
                }
            }));
        }
    }

    private Optional<Listener> listener(String channel) {
        return Optional.ofNullable(listeners.get(channel));
    }

    /** Subscribes to a channel, and returns the action that ends the subscription. */
    Runnable listen(String channel, Listener listener) {
        listeners.put(channel, listener);
        masters.forEach(master -> master.add(channel));
        return () -> {
            listeners.remove(channel);
            masters.forEach(master -> master.remove(channel));
        };
    }

    /** Closes all connections permanently. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> masters.forEach(Subscription::close), engineContext.loop());
    }
}
