package io.quorumlock.redis;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Surroundings;
import io.quorumlock.waiting.ReleaseSignal;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/** Hears the releases that the nodes announce: one channel for each resource that somebody here waits for. */
public final class RedisReleaseSignal implements ReleaseSignal {
    private final KeyPrefixes keys;
    private final Subscriptions subscriptions;

    public RedisReleaseSignal(
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            Surroundings surroundings) {
        this.keys = keys;
        this.subscriptions = new Subscriptions(addresses, settings, vertx, surroundings);
    }

    @Override
    public Watch watch(ResourceName resource, IntConsumer hint) {
        return subscriptions.listen(keys.releasesOf(resource), (node, message) -> hint.accept(node))::run;
    }

    /** Closes all connections, for good. */
    public CompletableFuture<Void> close() {
        return subscriptions.close();
    }
}
