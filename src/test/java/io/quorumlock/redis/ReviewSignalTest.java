package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.waiting.ReleaseSignal.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Review: many resources are waited for at the same moment. */
class ReviewSignalTest {
    private static final int MANY = 3_000;

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());
    private final RedisReleaseSignal signal = new RedisReleaseSignal(
            List.of(new NodeAddress(redis.url().toString())),
            new LinkSettings(RealFleet.NODE_TIMEOUT, RealFleet.NODE_TIMEOUT, Optional.empty()),
            new KeyPrefixes("lock:", "fence:"),
            fleet.loop.vertx,
            fleet.loop.engineContext);

    @AfterEach
    void stop() {
        signal.close().join();
        fleet.close();
        redis.close();
    }

    @Test
    void listensToAllAndLeavesNothing() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Watch> first = new CompletableFuture<>();
        fleet.onLoop(() ->
                first.complete(signal.watch(new ResourceName("first"), (node, passedOn) -> begun.incrementAndGet())));
        Watch watch = first.join();
        Thread.sleep(1_500);
        List<Watch> watches = new ArrayList<>();
        CompletableFuture<Void> done = new CompletableFuture<>();
        fleet.onLoop(() -> {
            for (int i = 0; i < MANY; i++) {
                watches.add(signal.watch(new ResourceName("r" + i), (node, passedOn) -> begun.incrementAndGet()));
            }
            done.complete(null);
        });
        done.join();
        Thread.sleep(4_000);
        assertEquals(Integer.toString(MANY + 1), channels(), "subscribed");
        CompletableFuture<Void> ended = new CompletableFuture<>();
        fleet.onLoop(() -> {
            watches.forEach(Watch::end);
            watch.end();
            ended.complete(null);
        });
        ended.join();
        Thread.sleep(4_000);
        assertEquals("0", channels(), "left");
        assertEquals(MANY + 1, begun.get());
    }

    private String channels() {
        return redis.cli("EVAL", "return #redis.call('PUBSUB', 'CHANNELS')", "0");
    }
}
