// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.waiting.ReleaseSignal.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Announcements of a real Redis. */
class RedisReleaseSignalTest {
    private static final ResourceName RESOURCE = new ResourceName("announced");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration SOON = Duration.ofSeconds(20);

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());
    private final RedisReleaseSignal signal = signal();
    private final AtomicInteger hints = new AtomicInteger();
    private Watch watch;

    /** The start of a subscription also produces a hint. */
    @BeforeEach
    void listen() {
        CompletableFuture<Watch> watching = new CompletableFuture<>();
        fleet.onLoop(() -> watching.complete(signal.watch(RESOURCE, (node, passedOn) -> hints.incrementAndGet())));
        watch = watching.join();
        Eventually.within(SOON, "subscribed", () -> hints.get() == 1);
    }

    private RedisReleaseSignal signal() {
        return new RedisReleaseSignal(
                List.of(new NodeAddress(redis.url().toString())),
                new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
                new KeyPrefixes("lock:", "fence:"),
                fleet.loop.vertx,
                fleet.loop.engineContext);
    }

    @AfterEach
    void stop() {
        signal.close().join();
        fleet.close();
        redis.close();
    }

    @Test
    void deliversReleases() {
        acquireAndRelease();
        Eventually.within(SOON, "received", () -> hints.get() == 2);
    }

    @Test
    void subscribesToManyResourcesAtOnceAndLeavesNoChannels() {
        int many = 3_000;
        List<Watch> watches = new CopyOnWriteArrayList<>();
        fleet.onLoop(() -> {
            for (int i = 0; i < many; i++) {
                watches.add(signal.watch(new ResourceName("r" + i), (node, passedOn) -> hints.incrementAndGet()));
            }
        });
        Eventually.within(SOON, "subscribed to all", () -> hints.get() == many + 1);
        assertEquals(Integer.toString(many + 1), channels());
        fleet.onLoop(() -> {
            watches.forEach(Watch::end);
            watch.end();
        });
        Eventually.within(SOON, "unsubscribed from all", () -> channels().equals("0"));
    }

    /** Other waiters learn that they can sleep, and the releasing replica learns that there are waiters. */
    @Test
    void deliversHandOversToAllSubscribers() {
        RedisReleaseSignal second = signal();
        List<Boolean> heard = new CopyOnWriteArrayList<>();
        fleet.onLoop(() -> second.watch(RESOURCE, (node, passedOn) -> heard.add(passedOn)));
        Eventually.within(SOON, "subscribed", () -> heard.equals(List.of(false)));
        CompletableFuture<NodeReply> released = new CompletableFuture<>();
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", SOON, Optional.empty()).put(fleet.node(), reply -> {});
            fleet.node().release(DeleteCondition.ofPassedOn(RESOURCE, TOKEN), released::complete);
        });
        assertEquals(new NodeReply.Deleted(true), released.join());
        Eventually.within(SOON, "received", () -> heard.equals(List.of(false, true)));
        second.close().join();
    }

    /** The replica of the hand-over receives the announcement, regardless of the replica that received the release. */
    @Test
    void announcesReleaseOfHandOverLeaseAsPassedOn() {
        RedisReleaseSignal second = signal();
        List<Boolean> heard = new CopyOnWriteArrayList<>();
        fleet.onLoop(() -> second.watch(RESOURCE, (node, passedOn) -> heard.add(passedOn)));
        Eventually.within(SOON, "subscribed", () -> heard.equals(List.of(false)));
        fleet.onLoop(() -> {
            acquireAndRelease("a1~");
            acquireAndRelease("a2");
            Ask.acquire(RESOURCE, TOKEN, "a3~", SOON, Optional.empty()).put(fleet.node(), reply -> {});
            fleet.node().extend(RESOURCE, TOKEN, SOON, reply -> {});
            Ask.release(RESOURCE, TOKEN).put(fleet.node(), reply -> {});
        });
        Eventually.within(SOON, "received", () -> heard.equals(List.of(false, true, false, true)));
        second.close().join();
    }

    /** No waiter depends on the votes of a failed attempt. An announcement would cause a futile attempt. */
    @Test
    void doesNotAnnounceWithdrawnVotes() {
        CompletableFuture<NodeReply> withdrawn = new CompletableFuture<>();
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", SOON, Optional.empty()).put(fleet.node(), reply -> {});
            fleet.node().release(DeleteCondition.ofVotes(RESOURCE, TOKEN, "a1"), withdrawn::complete);
        });
        assertInstanceOf(NodeReply.Deleted.class, withdrawn.join());
        acquireAndRelease();
        Eventually.within(SOON, "received", () -> hints.get() >= 2);
        assertEquals(2, hints.get());
    }

    /** The hint at the start of the new subscription makes up for missed announcements. */
    @Test
    void replacesLostConnectionWithHint() {
        redis.cli("CLIENT", "KILL", "TYPE", "pubsub");
        Eventually.within(SOON, "subscribed again", () -> hints.get() == 2);
        acquireAndRelease();
        Eventually.within(SOON, "received", () -> hints.get() == 3);
    }

    @Test
    void resubscribesAfterServerRestart() {
        redis.restart();
        Eventually.within(SOON, "subscribed again", () -> hints.get() >= 2);
    }

    /** Resources without waiters must not have a subscription. */
    @Test
    void unsubscribesAfterWatchEnds() {
        fleet.onLoop(watch::end);
        Eventually.within(SOON, "unsubscribed", () -> redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0")
                .equals("0"));
    }

    private void acquireAndRelease() {
        fleet.onLoop(() -> acquireAndRelease("a1"));
    }

    private void acquireAndRelease(String attempt) {
        Ask.acquire(RESOURCE, TOKEN, attempt, SOON, Optional.empty()).put(fleet.node(), reply -> {});
        Ask.release(RESOURCE, TOKEN).put(fleet.node(), reply -> {});
    }

    private String channels() {
        return redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0");
    }
}
