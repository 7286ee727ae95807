// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that waits for several locks, beside clients that always wait for each one of them. */
@Execution(ExecutionMode.CONCURRENT)
@Proves("A")
class SeveralNamesFairnessTest {
    private static final ResourceName ONE = new ResourceName("a");
    private static final ResourceName TWO = new ResourceName("b");
    private static final ResourceName THREE = new ResourceName("c");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RUN = Duration.ofMinutes(2);
    private static final int CLIENTS_OF_EACH = 4;

    private final Random random = new Random(7);
    private final List<WaitQueues> replicas = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    /** When the present waits for two locks began. */
    private final Map<Integer, MonotonicTime> waiting = new HashMap<>();

    private Duration held = Duration.ofMillis(500);
    private Duration patience = Duration.ofSeconds(60);
    private int clients;
    private int tokens;
    private VirtualTime time;

    /**
     * A client that waits for one lock waits until the other four have held it once on each replica. The one that waits for both
     * may wait for its place in both queues, and for their holders.
     */
    @ParameterizedTest
    @CsvSource({"1, redlock", "2, redlock", "1, store", "2, store"})
    void setWaitsNoLongerThanThreeTimesAsForItsSlowestName(int number, String engine) {
        start(number, engine.equals("store"));
        for (int i = 0; i < CLIENTS_OF_EACH * number; i++) {
            WaitQueues replica = replicas.get(i % number);
            later(() -> hold(replica, ONE));
            later(() -> hold(replica, TWO));
        }
        later(() -> holdBoth(replicas.get(0), ONE, TWO));
        assertLongestWait(3, CLIENTS_OF_EACH * number);
    }

    /** A client that waits for longer than a request may last repeats it, and keeps its place. */
    @ParameterizedTest
    @ValueSource(strings = {"redlock", "store"})
    void setThatIsRequestedAgainWaitsNoLonger(String engine) {
        start(1, engine.equals("store"));
        held = Duration.ofSeconds(8);
        patience = Duration.ofSeconds(10);
        for (int i = 0; i < CLIENTS_OF_EACH; i++) {
            later(() -> hold(replicas.get(0), ONE));
            later(() -> hold(replicas.get(0), TWO));
        }
        later(() -> holdBoth(replicas.get(0), ONE, TWO));
        assertLongestWait(3, CLIENTS_OF_EACH, Duration.ofMinutes(20));
    }

    /** All of them want a lock of each other. */
    @ParameterizedTest
    @ValueSource(strings = {"redlock", "store"})
    void setsThatOverlapTakeTurns(String engine) {
        start(1, engine.equals("store"));
        contendForPairs();
        assertLongestWait(3, 6);
    }

    /** Several replicas promise no order of such sets, but these never keep each other out for long. */
    @ParameterizedTest
    @ValueSource(strings = {"redlock", "store"})
    void setsThatOverlapOnSeveralReplicasAreGrantedOneAfterTheOther(String engine) {
        start(3, engine.equals("store"));
        contendForPairs();
        time.pass(RUN);
        assertTrue(waits.size() > RUN.dividedBy(held) * 4 / 5, () -> waits.size() + " grants");
    }

    private void contendForPairs() {
        List<ResourceName> names = List.of(ONE, TWO, THREE);
        for (int i = 0; i < 6; i++) {
            WaitQueues replica = replicas.get(i % replicas.size());
            int first = i / replicas.size() % 3;
            later(() -> holdBoth(replica, names.get(first), names.get((first + 1) % 3)));
        }
    }

    /** @param clients that want to hold a lock */
    private void assertLongestWait(int times, int clients) {
        assertLongestWait(times, clients, RUN);
    }

    private void assertLongestWait(int times, int clients, Duration run) {
        time.pass(run);
        waiting.values().forEach(began -> waits.add(time.now().since(began)));
        Duration longest = waits.stream().max(Duration::compareTo).orElseThrow();
        assertTrue(
                longest.compareTo(held.multipliedBy(clients).multipliedBy(times)) < 0,
                () -> waits.size() + " grants, longest wait " + longest);
        assertTrue(waits.size() > 10, () -> waits.size() + " grants");
    }

    private void start(int number, boolean isStore) {
        if (!isStore) {
            FakeFleet fleet = new FakeFleet(5);
            fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
            time = fleet.time;
            for (int i = 0; i < number; i++) {
                replicas.add(fleet.waitQueues(i, fleet.signal(), new WaitingLimits(100, 100)));
            }
            return;
        }
        FakeConsensus fixture = new FakeConsensus();
        fixture.store.answerAfter(Duration.ofMillis(1));
        time = fixture.time;
        for (int i = 0; i < number; i++) {
            replicas.add(fixture.waitQueues(fixture.store.connect(), 10 + i));
        }
    }

    private void hold(WaitQueues replica, ResourceName name) {
        hold(replica, ResourceNames.of(name), () -> {}, () -> hold(replica, name));
    }

    private void holdBoth(WaitQueues replica, ResourceName one, ResourceName other) {
        MonotonicTime began = time.now();
        int client = ++clients;
        waiting.put(client, began);
        hold(
                replica,
                new ResourceNames(List.of(one, other)),
                () -> {
                    waiting.remove(client);
                    waits.add(time.now().since(began));
                },
                () -> holdBoth(replica, one, other));
    }

    private void hold(WaitQueues replica, ResourceNames names, Runnable granted, Runnable then) {
        acquire(replica, names, new LeaseToken("token-of-client-" + ++tokens), lease -> {
            granted.run();
            time.after(held, () -> replica.release(names, lease.token(), Duration.ZERO)
                    .thenRun(() -> later(then)));
        });
    }

    /** Repeats the request until it is granted. */
    private void acquire(WaitQueues replica, ResourceNames names, LeaseToken token, Consumer<Lease> granted) {
        AcquireTerms terms = new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
        replica.acquire(names, terms).thenAccept(outcome -> outcome.granted()
                .ifPresentOrElse(granted, () -> later(() -> acquire(replica, names, token, granted))));
    }

    private void later(Runnable action) {
        time.after(Duration.ofNanos(random.nextInt(2_000_000)), action);
    }
}
