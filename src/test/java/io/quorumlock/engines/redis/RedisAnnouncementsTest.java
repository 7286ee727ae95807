// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Announcements of the scripts on a real Redis. */
@Execution(ExecutionMode.CONCURRENT)
class RedisAnnouncementsTest implements Announcements.Listener {
    private static final ResourceName RESOURCE = new ResourceName("with a space/ü");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration TTL = Duration.ofSeconds(10);

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());
    private final Subscriptions subscriptions = new Subscriptions(
            List.of(new MasterAddress(redis.url().toString())),
            new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
            fleet.loop.vertx,
            fleet.loop.engineContext);
    private final RedisAnnouncements announcements =
            new RedisAnnouncements(new KeyPrefixes("lock:", "fence:"), subscriptions, 1);
    private final Queue<Announcement> announced = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    @AfterEach
    void stop() {
        subscriptions.close().join();
        fleet.close();
        redis.close();
    }

    /** The master link detects the subscriber with its next heartbeat. */
    @Test
    void announcesAllEventsOfALease() {
        listen();
        Eventually.holds("announced", () -> {
            announced.clear();
            lead();
            return announced.size() == 3;
        });
        List<Announcement> all = new ArrayList<>(announced);
        assertEquals(
                List.of(LockEventKind.ACQUIRED, LockEventKind.EXTENDED, LockEventKind.RELEASED),
                all.stream().map(Announcement::kind).toList());
        assertEquals(1, all.stream().map(Announcement::fence).distinct().count());
        all.forEach(announcement -> assertEquals(RESOURCE, announcement.resource()));
        all.forEach(announcement -> assertEquals(Optional.of(new Owner("me, too")), announcement.owner()));
    }

    @Test
    void unsubscribesAfterEnd() {
        Runnable listening = listen();
        Eventually.holds("subscribed", () -> channels().equals("1"));
        fleet.onLoop(listening::run);
        Eventually.holds("unsubscribed", () -> channels().equals("0"));
    }

    @Test
    void reportsLostAndRestoredSubscriptions() {
        listen();
        Eventually.holds("subscribed", () -> begun.get() == 1);
        assertEquals(0, broken.get());
        redis.cli("CLIENT", "KILL", "TYPE", "pubsub");
        Eventually.holds("subscribed again", () -> begun.get() == 2);
        assertEquals(1, broken.get());
    }

    private Runnable listen() {
        CompletableFuture<Runnable> listening = new CompletableFuture<>();
        fleet.onLoop(() -> listening.complete(announcements.listen(this)));
        return listening.join();
    }

    @Override
    public Optional<MonotonicTime> wantedSince(ResourceName resource) {
        throw new AssertionError("all are announced");
    }

    @Override
    public void announced(int master, Announcement announcement) {
        announced.add(announcement);
    }

    @Override
    public void subscribed(int master) {
        begun.incrementAndGet();
    }

    @Override
    public void subscriptionLost(int master, MonotonicTime since) {
        assertTrue(since.isBefore(fleet.loop.engineContext.clock().now()));
        broken.incrementAndGet();
    }

    private String channels() {
        return redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0");
    }

    private void lead() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        fleet.onLoop(() -> {
            Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.of(new Owner("me, too")))
                    .put(fleet.master(), reply -> {});
            Ask.extend(RESOURCE, TOKEN, TTL).put(fleet.master(), reply -> {});
            Ask.release(RESOURCE, TOKEN).put(fleet.master(), reply -> over.complete(null));
        });
        over.join();
    }
}
