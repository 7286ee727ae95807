// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Events of two replicas while masters and replicas fail. */
class EventsIT {
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private static List<RedisServer> masters;
    private static ServiceProcess one;
    private static ServiceProcess two;

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        one = ServiceProcess.on(masters);
        two = ServiceProcess.on(masters);
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        RedisServers.close(masters);
    }

    @Test
    void reportsEventsOfOtherReplica() {
        try (EventReader events = new EventReader(two.uri(), "/events?prefix=told")) {
            whileLocking(() -> events.nextStarting("event: released"));
        }
    }

    @Test
    void reportsEventsWhileTwoMastersAreDown() {
        List<RedisServer> down = List.of(masters.get(0), masters.get(3));
        down.forEach(RedisServer::kill);
        try (EventReader events = new EventReader(two.uri(), "/locks/told/events")) {
            whileLocking(() -> events.nextStarting("event: released"));
        } finally {
            down.forEach(RedisServer::start);
        }
        Eventually.within(LONG, two::output, () -> up(one) == 5 && up(two) == 5);
    }

    /** The replica may have missed releases, so clients must check the locks themselves. */
    @Test
    void reportsGapAfterLossOfMajorityOfSubscriptions() {
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
    void shutdownEndsStreams() {
        try (ServiceProcess ending = ServiceProcess.on(masters);
                EventReader events = new EventReader(ending.uri(), "/events")) {
            events.nextStarting(": hints");
            ending.terminate();
            events.nextStarting("event: end");
            ending.exitCode(LONG);
        }
    }

    private static int up(ServiceProcess replica) {
        return replica.client().get("/nodes").body().path("up").asInt();
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
