package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events of two replicas, while masters and replicas go away. */
class EventsIT {
    private final List<RedisServer> masters = RedisServers.start(5);
    private final ServiceProcess one = ServiceProcess.on(masters);
    private final ServiceProcess two = ServiceProcess.on(masters);

    @AfterEach
    void stop() {
        one.close();
        two.close();
        RedisServers.close(masters);
    }

    @Test
    void whatHappensThroughOneReplicaIsToldByTheOther() {
        try (EventReader events = new EventReader(two.uri(), "/events?prefix=told")) {
            whileLocking(() -> events.nextStarting("event: released"));
        }
    }

    @Test
    void twoMastersMayBeDown() {
        masters.get(0).kill();
        masters.get(3).kill();
        try (EventReader events = new EventReader(two.uri(), "/locks/told/events")) {
            whileLocking(() -> events.nextStarting("event: released"));
        }
    }

    /** What was released meanwhile nobody here heard of, and the reader knows that it must look. */
    @Test
    void whoseReplicaDidNotHearAMajorityForATimeIsToldSo() {
        try (EventReader events = new EventReader(two.uri(), "/events?prefix=told")) {
            whileLocking(() -> events.nextStarting("event: released"));
            Instant before = Instant.now();
            masters.subList(0, 3).forEach(master -> master.cli("CLIENT", "KILL", "TYPE", "pubsub"));
            JsonObject gap = new JsonObject(events.data("gap"));
            assertTrue(gap.getInstant("since").isBefore(gap.getInstant("at")), gap::encode);
            assertTrue(before.isBefore(gap.getInstant("at")), gap::encode);
            whileLocking(() -> events.nextStarting("event: released"));
        }
    }

    @Test
    void whenAReplicaEndsItsStreamsEndAtOnce() {
        try (EventReader events = new EventReader(two.uri(), "/events")) {
            events.nextStarting(": hints");
            long start = System.nanoTime();
            two.terminate();
            events.nextStarting("event: end");
            two.exitCode(Duration.ofSeconds(10));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(Duration.ofSeconds(5)) < 0, () -> "took " + took);
        }
    }

    private void whileLocking(Runnable listening) {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> locking = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                one.client()
                        .release("told", one.client().acquire("told", 10_000).token());
            }
        });
        listening.run();
        over.set(true);
        locking.join();
    }
}
