// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Heartbeats over a real Redis. */
class RedisHeartbeatsIT {
    private static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");
    private static final ResourceName RESOURCE = new ResourceName("orders/42");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration SOON = Duration.ofSeconds(20);
    /** More than the number of handlers that can wait on a connection. */
    private static final int MANY = 1_500;

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());
    private final RedisHeartbeats beats = new RedisHeartbeats(
            fleet.fleet,
            List.of(new NodeAddress(redis.url().toString())),
            new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
            KEYS,
            fleet.loop.vertx,
            fleet.loop.engineContext);
    private final AtomicInteger heard = new AtomicInteger();

    @AfterEach
    void stop() {
        beats.close().join();
        fleet.close();
        redis.close();
    }

    @Test
    void deliversHeartbeatsOnlyToTheirSubscriber() {
        assertEquals(new BeatOutcome.NoSession(), send(TOKEN));
        Heartbeats.Watch watch = watch(RESOURCE);
        Eventually.within(SOON, "subscribed", () -> send(TOKEN).equals(new BeatOutcome.Heard()));
        Eventually.within(SOON, "received", () -> heard.get() > 0);
        assertEquals(new BeatOutcome.NoSession(), send(new LeaseToken("token-of-client-B")));
        fleet.onLoop(watch::end);
        Eventually.within(SOON, "unsubscribed", () -> send(TOKEN).equals(new BeatOutcome.NoSession()));
    }

    @Test
    void reportsUnconfirmedWithoutNode() {
        redis.kill();
        assertInstanceOf(BeatOutcome.Unconfirmed.class, send(TOKEN));
    }

    @Test
    void subscribesToManySessions() {
        for (int i = 0; i < MANY; i++) {
            watch(new ResourceName("many/" + i));
        }
        watch(RESOURCE);
        Eventually.within(SOON, "subscribed", () -> send(TOKEN).equals(new BeatOutcome.Heard()));
    }

    /** The client library can mistake messages for the reply to the ping. */
    @Test
    void keepsConnectionUnderManyHeartbeats() {
        watch(RESOURCE);
        Eventually.within(SOON, "subscribed", () -> send(TOKEN).equals(new BeatOutcome.Heard()));
        String before = listener();
        long end = System.nanoTime()
                + LinkSettings.HEARTBEAT.plus(LinkSettings.LONGEST_SILENCE).toNanos() * 3;
        while (System.nanoTime() < end) {
            fleet.onLoop(() -> beats.send(RESOURCE, TOKEN));
            send(TOKEN);
        }
        assertEquals(before, listener());
    }

    /** S4: a channel name does not contain the token, and differs for each lock. */
    @Test
    void channelHidesToken() {
        String channel = KEYS.heartbeatsOf(RESOURCE, TOKEN);
        assertTrue(channel.matches("quorumlock:beat:[0-9a-f]{64}"), channel);
        assertFalse(channel.equals(KEYS.heartbeatsOf(new ResourceName("orders/43"), TOKEN)));
    }

    private String listener() {
        return redis.cli("CLIENT", "LIST", "TYPE", "pubsub").replaceAll("(?s).*?\\bid=(\\d+).*", "$1");
    }

    private Heartbeats.Watch watch(ResourceName resource) {
        CompletableFuture<Heartbeats.Watch> watch = new CompletableFuture<>();
        fleet.onLoop(() -> watch.complete(beats.watch(resource, TOKEN, heard::incrementAndGet)));
        return RealLoop.await(watch);
    }

    private BeatOutcome send(LeaseToken token) {
        CompletableFuture<BeatOutcome> beat = new CompletableFuture<>();
        fleet.onLoop(() -> beats.send(RESOURCE, token).thenAccept(beat::complete));
        return RealLoop.await(beat);
    }
}
