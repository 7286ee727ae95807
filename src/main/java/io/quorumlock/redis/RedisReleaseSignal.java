package io.quorumlock.redis;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.waiting.ReleaseSignal;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Hears the releases that the nodes announce: one channel for each resource that somebody here waits for. */
public final class RedisReleaseSignal implements ReleaseSignal {
    /** Announces a lock that anybody may have. The beginning of listening says the same. */
    static final String FREE = "";

    /** Announces a lock that the replica which released it gives to the next one who waits there. */
    static final String PASSED_ON = "passed on";

    /** Lets the script choose: passed on if the lease was granted in a turn, else free. Never announced itself. */
    static final String AS_GRANTED = "as granted";

    private static final byte[] PASSED_ON_BYTES = PASSED_ON.getBytes(StandardCharsets.US_ASCII);

    private final KeyPrefixes keys;
    private final Subscriptions subscriptions;

    public RedisReleaseSignal(
            List<NodeAddress> addresses,
            LinkSettings settings,
            KeyPrefixes keys,
            Vertx vertx,
            EngineContext engineContext) {
        this.keys = keys;
        this.subscriptions = new Subscriptions(addresses, settings, vertx, engineContext);
    }

    @Override
    public Watch watch(ResourceName resource, Listener listener) {
        return subscriptions.listen(
                keys.releasesOf(resource),
                (node, message) -> listener.hear(node, Arrays.equals(message, PASSED_ON_BYTES)))::run;
    }

    /** Closes all connections, for good. */
    public CompletableFuture<Void> close() {
        return subscriptions.close();
    }
}
