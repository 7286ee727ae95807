// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ReleaseSignal.Listener;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
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
@Proves("R12")
class RedisReleaseSignalTest {
    private static final ResourceName RESOURCE = new ResourceName("announced");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration TTL = Duration.ofSeconds(20);

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());
    private final Subscriptions subscriptions = subscriptions();
    private final RedisReleaseSignal signal = signal(subscriptions);
    private final AtomicInteger hints = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private Runnable watch;

    /** The start of a subscription also produces a hint. */
    @BeforeEach
    void listen() {
        CompletableFuture<Runnable> watching = new CompletableFuture<>();
        fleet.onLoop(() -> watching.complete(signal.watch(RESOURCE, counting(hints))));
        watch = watching.join();
        Eventually.holds("subscribed", () -> hints.get() == 1);
    }

    private Subscriptions subscriptions() {
        return new Subscriptions(
                List.of(new MasterAddress(redis.url().toString())),
                new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
                fleet.loop.vertx,
                fleet.loop.engineContext);
    }

    private static RedisReleaseSignal signal(Subscriptions subscriptions) {
        return new RedisReleaseSignal(new KeyPrefixes("lock:", "fence:"), subscriptions);
    }

    private Listener counting(AtomicInteger hints) {
        return new Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                hints.incrementAndGet();
            }

            @Override
            public void released(int master) {
                hints.incrementAndGet();
            }

            @Override
            public void subscribed(int master, boolean missed) {
                hints.incrementAndGet();
            }

            @Override
            public void lost(int master) {
                losses.incrementAndGet();
            }
        };
    }

    @AfterEach
    void stop() {
        subscriptions.close().join();
        fleet.close();
        redis.close();
    }

    @Test
    void deliversReleases() {
        acquireAndRelease();
        Eventually.holds("received", () -> hints.get() == 2);
    }

    @Test
    void subscribesToManyResourcesAtOnceAndLeavesNoChannels() {
        int many = 3_000;
        List<Runnable> watches = new CopyOnWriteArrayList<>();
        fleet.onLoop(() -> {
            for (int i = 0; i < many; i++) {
                watches.add(signal.watch(new ResourceName("r" + i), counting(hints)));
            }
        });
        Eventually.holds("subscribed to all", () -> hints.get() == many + 1);
        assertEquals(Integer.toString(many + 1), channels());
        fleet.onLoop(() -> {
            watches.forEach(Runnable::run);
            watch.run();
        });
        Eventually.holds("unsubscribed from all", () -> channels().equals("0"));
    }

    /** A replica derives its turn from the number of waiting replicas, and ignores late announcements of older leases. */
    @Test
    void announcesFencingTokenAndNumberOfReplicas() {
        Subscriptions others = subscriptions();
        List<String> received = new CopyOnWriteArrayList<>();
        fleet.onLoop(() -> signal(others).watch(RESOURCE, new Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                received.add(fence + " of " + replicas);
            }

            @Override
            public void released(int master) {
                received.add("released");
            }

            @Override
            public void subscribed(int master, boolean missed) {
                received.add("subscribed");
            }

            @Override
            public void lost(int master) {
                received.add("lost");
            }
        }));
        Eventually.holds("subscribed", () -> received.equals(List.of("subscribed")));
        CompletableFuture<MasterReply> granted = new CompletableFuture<>();
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty()).put(fleet.master(), granted::complete);
            fleet.master().extend(ResourceNames.of(RESOURCE), TOKEN, TTL, reply -> {});
            Ask.release(RESOURCE, TOKEN).put(fleet.master(), reply -> {});
        });
        long fence = assertInstanceOf(MasterReply.Granted.class, granted.join())
                .fence()
                .number();
        Eventually.holds("received", () -> received.equals(List.of("subscribed", fence + " of 2")));
        redis.cli("PUBLISH", "quorumlock:released:lock:announced", "free");
        Eventually.holds("received", () -> received.size() == 3);
        assertEquals("released", received.get(2));
        others.close().join();
    }

    /** No waiter depends on the votes of a failed attempt. An announcement would cause a futile attempt. */
    @Test
    void doesNotAnnounceWithdrawnVotes() {
        CompletableFuture<MasterReply> withdrawn = new CompletableFuture<>();
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty()).put(fleet.master(), reply -> {});
            fleet.master()
                    .release(
                            DeleteCondition.ofAttempt(
                                    ResourceNames.of(RESOURCE), TOKEN, "a1", DeleteCondition.Reason.WITHDRAWN),
                            withdrawn::complete);
        });
        assertInstanceOf(MasterReply.Deleted.class, withdrawn.join());
        acquireAndRelease();
        Eventually.holds("received", () -> hints.get() >= 2);
        assertEquals(2, hints.get());
    }

    /** The hint at the start of the new subscription makes up for missed announcements. */
    @Test
    void replacesLostConnectionWithHint() {
        redis.cli("CLIENT", "KILL", "TYPE", "pubsub");
        Eventually.holds("subscribed again", () -> hints.get() == 2);
        assertEquals(1, losses.get());
        acquireAndRelease();
        Eventually.holds("received", () -> hints.get() == 3);
    }

    @Test
    void resubscribesAfterServerRestart() {
        redis.restart();
        Eventually.holds("subscribed again", () -> hints.get() >= 2);
    }

    /** Resources without waiters must not have a subscription. */
    @Test
    void unsubscribesAfterWatchEnds() {
        fleet.onLoop(watch::run);
        Eventually.holds("unsubscribed", () -> redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0")
                .equals("0"));
    }

    private void acquireAndRelease() {
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty()).put(fleet.master(), reply -> {});
            Ask.release(RESOURCE, TOKEN).put(fleet.master(), reply -> {});
        });
    }

    private String channels() {
        return redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0");
    }
}
