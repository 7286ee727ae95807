// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.SharedFleet;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Events of two replicas while masters and replicas fail. */
@ResourceLock(SharedFleet.NAME)
class EventsIT {
    /** A limit that only a hang exceeds. */
    private final List<RedisServer> masters = SharedFleet.MASTERS;

    private final ServiceProcess one = SharedFleet.ONE;
    private final ServiceProcess two = SharedFleet.TWO;

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
        try (EventReader events = new EventReader(two.uri(), "/events?name=told")) {
            whileLocking(() -> events.nextStarting("event: released"));
        } finally {
            down.forEach(RedisServer::start);
        }
        SharedFleet.awaitAllMasters();
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
            ending.exitCode();
        }
    }

    private void whileLocking(Runnable listening) {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> locking = Background.run(() -> {
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
