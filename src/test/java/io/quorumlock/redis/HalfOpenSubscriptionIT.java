// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * S1: a heartbeat is confirmed to the client only if the replica of its session can read it. All masters are healthy. The network
 * between them and the replica of the session breaks: one connection becomes silent, the others are reset.
 */
class HalfOpenSubscriptionIT {
    private static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");
    private static final ResourceName RESOURCE = new ResourceName("orders/42");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final URI NOWHERE = URI.create("redis://127.0.0.1:1");

    private final List<RedisServer> servers = RedisServers.start(5);
    private final RealFleet fleet =
            new RealFleet(servers.stream().map(RedisServer::url).toArray(URI[]::new));
    private final List<Forwarder> networks = servers.stream()
            .map(server -> new Forwarder(fleet.loop.vertx, server.url()))
            .toList();
    private final RedisHeartbeats beats = new RedisHeartbeats(
            fleet.fleet,
            networks.stream()
                    .map(network -> new NodeAddress(network.url().toString()))
                    .toList(),
            new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
            KEYS,
            fleet.loop.vertx,
            fleet.loop.engineContext);
    private final AtomicInteger heard = new AtomicInteger();

    @AfterEach
    void stop() {
        beats.close().join();
        fleet.close();
        servers.forEach(RedisServer::close);
    }

    @Test
    void confirmsOnlyHeartbeatsThatAreDelivered() {
        fleet.onLoop(() -> beats.watch(RESOURCE, TOKEN, heard::incrementAndGet));
        Eventually.within(SOON, "subscribed everywhere", () -> subscribed(servers));
        networks.get(0).silence();
        List<Forwarder> others = networks.subList(1, 5);
        others.forEach(network -> network.forwardTo(NOWHERE));
        others.forEach(Forwarder::disconnect);
        Eventually.within(SOON, "noticed by four masters", () -> servers.subList(1, 5).stream()
                .noneMatch(HalfOpenSubscriptionIT::hasSubscriber));
        assertNotEquals(new BeatOutcome.Heard(), send());

        for (int i = 1; i < 5; i++) {
            networks.get(i).forwardTo(servers.get(i).url());
        }
        Eventually.within(SOON, "confirmed again", () -> send().equals(new BeatOutcome.Heard()));
        Eventually.within(SOON, "delivered", () -> heard.get() > 0);
    }

    /** The session exists, so the client is not told that there is none. */
    @Test
    void heartbeatHeardOnFewerNodesThanQuorumIsUnconfirmed() {
        fleet.onLoop(() -> beats.watch(RESOURCE, TOKEN, heard::incrementAndGet));
        Eventually.within(SOON, "subscribed everywhere", () -> subscribed(servers));
        List<Forwarder> most = networks.subList(0, 3);
        most.forEach(network -> network.forwardTo(NOWHERE));
        most.forEach(Forwarder::disconnect);
        Eventually.within(SOON, "noticed by three masters", () -> servers.subList(0, 3).stream()
                .noneMatch(HalfOpenSubscriptionIT::hasSubscriber));
        assertInstanceOf(BeatOutcome.Unconfirmed.class, send());
    }

    private static boolean subscribed(List<RedisServer> servers) {
        return servers.stream().allMatch(HalfOpenSubscriptionIT::hasSubscriber);
    }

    private static boolean hasSubscriber(RedisServer server) {
        return !server.cli("PUBSUB", "NUMSUB", KEYS.heartbeatsOf(RESOURCE, TOKEN))
                .endsWith(", 0]");
    }

    private BeatOutcome send() {
        CompletableFuture<BeatOutcome> beat = new CompletableFuture<>();
        fleet.onLoop(() -> beats.send(RESOURCE, TOKEN).thenAccept(beat::complete));
        return RealLoop.await(beat);
    }
}
