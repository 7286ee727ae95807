// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of grants on one and several replicas with waiters, and its cost. */
class TurnsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);
    private static final WaitingLimits MANY = new WaitingLimits(100, 100);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), MANY);

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /** The replica that had no lease for the longest time is next. */
    @Test
    void waitingReplicasTakeTurns() {
        List<WaitQueues> replicas = new ArrayList<>();
        for (long seed = 8; seed <= 10; seed++) {
            replicas.add(fleet.waitQueues(seed, fleet.signal(), MANY));
        }
        fleet.acquire(A);
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            serve(replicas.get(i / 4), "waiter of replica " + i / 4, "waiter-" + i, served);
        }
        fleet.time.pass(SOON);
        int before = fleet.master(1).commands();
        fleet.release(A);
        fleet.time.pass(Duration.ofMillis(500));
        assertEquals(12, served.size());
        assertEquals(served.subList(0, 3), served.subList(3, 6));
        assertEquals(served.subList(0, 3), served.subList(6, 9));
        assertEquals(3, Set.copyOf(served).size());
        assertTrue(fleet.master(1).commands() - before <= 3 * served.size(), "unnecessary attempts");
    }

    /** Another replica subscribes, but makes no attempt: it has just lost its waiters, or hangs. */
    @Test
    void letsOthersGoFirstOnlyForAWhile() {
        fleet.signal().watch(RESOURCE, new ReleaseSignal.Listener() {
            @Override
            public void released(int master, long fence, int replicas) {
                // It hangs.
            }

            @Override
            public void released(int master) {
                // It hangs.
            }

            @Override
            public void subscribed(int master, boolean missed) {
                // It hangs.
            }

            @Override
            public void lost(int master) {
                // It hangs.
            }
        });
        List<String> served = new ArrayList<>();
        for (String name : List.of("waiter-1", "waiter-2", "waiter-3")) {
            serve(queues, name, name, served);
        }
        fleet.time.pass(Duration.ofMillis(100));
        assertEquals(List.of("waiter-1", "waiter-2", "waiter-3"), served);
    }

    /** Without a token of its own, a client does not overtake waiters of its replica, even if the lock is free. */
    @Test
    void newcomerJoinsTheEndOfTheQueue() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> first = queues.acquire(RESOURCE, terms(B, PATIENCE));
        fleet.time.pass(SOON);
        fleet.release(A);
        CompletableFuture<Acquisition> second = queues.acquire(
                RESOURCE, new AcquireTerms(TTL, PATIENCE, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE));
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, first.getNow(null));
        assertFalse(second.isDone());
    }

    private void serve(WaitQueues replica, String label, String name, List<String> served) {
        LeaseToken token = token(name);
        replica.acquire(RESOURCE, terms(token, PATIENCE)).thenAccept(outcome -> {
            served.add(label);
            fleet.time.after(Duration.ofMillis(30), () -> replica.release(RESOURCE, token));
        });
    }

    /** Two replicas with many waiters: no polling, and a bounded number of commands per grant. */
    @Test
    void contendedResourceNeedsFewCommandsPerGrant() {
        WaitQueues other = fleet.waitQueues(8, fleet.signal(), MANY);
        List<Acquisition> served = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            WaitQueues replica = i % 2 == 0 ? queues : other;
            LeaseToken token = token("waiter-" + i);
            replica.acquire(RESOURCE, terms(token, Duration.ofSeconds(60))).thenAccept(outcome -> {
                served.add(outcome);
                fleet.time.after(Duration.ofMillis(10), () -> replica.release(RESOURCE, token));
            });
        }
        fleet.time.pass(Duration.ofSeconds(3));
        assertEquals(
                40,
                served.stream().filter(Acquisition.Acquired.class::isInstance).count());
        int perGrant = fleet.master(1).commands() / 40;
        assertTrue(perGrant <= 3, () -> perGrant + " commands per node and grant");
        assertEquals(0, fleet.holding());
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static LeaseToken token(String name) {
        return new LeaseToken("token-of-" + name);
    }
}
