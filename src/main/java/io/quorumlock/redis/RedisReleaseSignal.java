// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.waiting.ReleaseSignal;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The announcements of releases by the nodes, on one channel for each resource with waiters. */
public final class RedisReleaseSignal implements ReleaseSignal {
    /**
     * The message for a lock that every replica may acquire. The start of a subscription is reported in the same way.
     */
    static final String FREE = "";

    /** The message for a lock that the releasing replica hands over to its next waiter. */
    static final String PASSED_ON = "passed on";

    /** Lets the script choose: passed on if the lease was granted for a hand-over, otherwise free. Never published. */
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
                (node, message) -> listener.released(node, Arrays.equals(message, PASSED_ON_BYTES)))::run;
    }

    /** Closes all connections permanently. */
    public CompletableFuture<Void> close() {
        return subscriptions.close();
    }
}
