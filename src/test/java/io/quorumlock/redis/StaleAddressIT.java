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
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** L3: an address leads to the server of another node for too long, and is correct again. Open connections stay open. */
class StaleAddressIT {
    private static final Duration QUARANTINE = Duration.ofSeconds(2);
    private static final Duration LATER = Duration.ofSeconds(30);
    private static final URI NOWHERE = URI.create("redis://127.0.0.1:1");

    private final Vertx vertx = Vertx.vertx();
    private final List<RedisServer> servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");

    @AfterEach
    void stop() {
        RealLoop.await(vertx.close().toCompletionStage().toCompletableFuture());
        RedisServers.close(servers);
    }

    @Test
    void allNodesVoteAgain() {
        Forwarder first = forwarder(0);
        Forwarder second = forwarder(1);
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            misdirect(fleet, first, second);
            first.forwardTo(servers.get(0).url());
            second.forwardTo(servers.get(1).url());
            Eventually.within(LATER, "all vote", () -> fleet.fleet.up() == 3);
        }
    }

    /** The address of node 2 is correct again first, that of node 1 after it lost the server. */
    @Test
    void allNodesVoteAgainAfterAddressesAreCorrectedOneByOne() {
        Forwarder first = forwarder(0);
        Forwarder second = forwarder(1);
        try (RealFleet fleet = RealFleet.guarded(
                QUARANTINE, first.url(), second.url(), servers.get(2).url())) {
            misdirect(fleet, first, second);
            second.forwardTo(servers.get(1).url());
            Eventually.within(
                    LATER,
                    "node 1 returns the server",
                    () -> fleet.fleet.nodes().get(0).problem().equals(Optional.of(NodeFailure.REFUSED)));
            first.forwardTo(servers.get(0).url());
            Eventually.within(LATER, "all vote", () -> fleet.fleet.up() == 3);
        }
    }

    private Forwarder forwarder(int server) {
        return new Forwarder(vertx, servers.get(server).url());
    }

    /** Stops one address, and then leads the other one to its server, until that is taken for a copy and votes. */
    private void misdirect(RealFleet fleet, Forwarder first, Forwarder second) {
        assertEquals(3, fleet.fleet.up());
        second.forwardTo(NOWHERE);
        second.disconnect();
        Eventually.within(LATER, "down", () -> fleet.fleet.up() == 2);
        first.forwardTo(servers.get(1).url());
        first.disconnect();
        Eventually.within(LATER, "down", () -> fleet.fleet.up() == 1);
        Eventually.within(LATER, "taken for a copy, and its quarantine is over", () -> fleet.fleet.up() == 2);
    }
}
