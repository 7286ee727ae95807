package io.quorumlock.redis;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Listens to all nodes, on a connection of its own to each, which is opened when it is first needed and kept. */
final class Subscriptions {
    private final EngineContext engineContext;
    private final List<Subscription> nodes = new ArrayList<>();
    private final Map<String, Listener> listeners = new HashMap<>();

    /** Hears what is announced on one channel. */
    @FunctionalInterface
    interface Listener {
        /** @param message empty where listening to the node begins (again) */
        void heard(int node, byte[] message);

        /** Hears that a node is not listened to any more, until it is again; what came after its last sign of life is lost. */
        default void lost(int node, MonotonicTime lastLife) {}
    }

    Subscriptions(List<NodeAddress> addresses, LinkSettings settings, Vertx vertx, EngineContext engineContext) {
        this.engineContext = engineContext;
        for (NodeAddress address : addresses) {
            int node = nodes.size();
            NodeConnector connector = new RedisConnector(vertx, engineContext.scheduler(), address, settings);
            nodes.add(new Subscription(connector, settings, engineContext, new Subscription.Channels() {
                @Override
                public Set<String> wanted() {
                    return listeners.keySet();
                }

                @Override
                public void heard(String channel, byte[] message) {
                    Listener listener = listeners.get(channel);
                    if (listener != null) {
                        listener.heard(node, message);
                    }
                }

                @Override
                public void lost(MonotonicTime lastLife) {
                    List.copyOf(listeners.values()).forEach(listener -> listener.lost(node, lastLife));
                }
            }));
        }
    }

    /** Begins to listen; what it returns ends that. */
    Runnable listen(String channel, Listener listener) {
        listeners.put(channel, listener);
        nodes.forEach(node -> node.add(channel));
        return () -> {
            listeners.remove(channel);
            nodes.forEach(node -> node.remove(channel));
        };
    }

    /** Closes all connections, for good. */
    CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> nodes.forEach(Subscription::close), engineContext.loop());
    }
}
