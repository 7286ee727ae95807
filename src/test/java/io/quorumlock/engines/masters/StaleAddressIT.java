// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** L3: an address leads to the server of another master for some time, and is correct again. Open connections stay open. */
class StaleAddressIT {
    private static final Duration QUARANTINE = Duration.ofSeconds(2);
    private static final URI NOWHERE = URI.create("redis://127.0.0.1:1");

    private final Vertx vertx = Vertx.vertx();
    private final List<RedisServer> servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");

    @AfterEach
    void stop() {
        RealLoop.await(vertx.close().toCompletionStage().toCompletableFuture());
        RedisServers.close(servers);
    }

    @Test
    void allMastersVoteAgain() {
        Forwarder first = new Forwarder(vertx, servers.get(0).url());
        Forwarder second = new Forwarder(vertx, servers.get(1).url());
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            assertEquals(3, fleet.fleet.up());
            second.forwardTo(NOWHERE);
            second.disconnect();
            Eventually.holds("down", () -> fleet.fleet.up() == 2);
            first.forwardTo(servers.get(1).url());
            first.disconnect();
            Eventually.holds(
                    "node 1 has the server of node 2",
                    () -> fleet.fleet.up() == 2 && fleet.fleet.servers().get(0).restarts() == 1);
            second.forwardTo(servers.get(1).url());
            Eventually.holds(
                    "node 2 is refused",
                    () -> fleet.fleet.servers().get(1).problem().equals(Optional.of(ServerFailure.REFUSED)));
            // Master 1 keeps no connection to the server that master 2 needs.
            first.forwardTo(servers.get(0).url());
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
        }
    }
}
