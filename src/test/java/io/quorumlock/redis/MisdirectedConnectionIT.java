// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R9: masters that exchange their addresses when they restart, as containers do. The old ones are cached for a moment. */
class MisdirectedConnectionIT {
    private static final Duration QUARANTINE = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final List<RedisServer> servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");

    @AfterEach
    void stop() {
        RealLoop.await(vertx.close().toCompletionStage().toCompletableFuture());
        RedisServers.close(servers);
    }

    @Test
    void causesNoQuarantine() {
        Forwarder first = new Forwarder(vertx, servers.get(0).url());
        Forwarder second = new Forwarder(vertx, servers.get(1).url());
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            assertEquals(3, fleet.fleet.up());
            first.forwardTo(servers.get(1).url());
            first.disconnect();
            second.forwardTo(servers.get(0).url());
            second.disconnect();
            awaitRefusal(fleet, 0);
            awaitRefusal(fleet, 1);
            first.forwardTo(servers.get(0).url());
            first.disconnect();
            second.forwardTo(servers.get(1).url());
            second.disconnect();
            Eventually.within(SOON, "all vote", () -> fleet.fleet.up() == 3);
        }
        servers.forEach(server -> assertEquals("(nil)", server.cli("GET", "quorumlock:quarantine/")));
    }

    private static void awaitRefusal(RealFleet fleet, int node) {
        Eventually.within(
                SOON,
                "refused",
                () -> fleet.fleet.nodes().get(node).problem().equals(Optional.of(NodeFailure.REFUSED)));
    }
}
