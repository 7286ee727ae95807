// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/** Clients that acquire and release one lock repeatedly through several replicas, on virtual time. */
final class Contention {
    private static final Duration TTL = Duration.ofSeconds(10);
    /** A client pauses before it acquires again, at least for a round trip to its replica. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(2);

    private final FakeFleet fleet = new FakeFleet(5);
    private final List<WaitQueues> replicas = new ArrayList<>();
    private final Setup setup;
    private final Random random;
    private final int[] served;
    private final List<Duration> waits = new ArrayList<>();
    private int refused;
    private int tokens;

    /**
     * The clients.
     *
     * @param clients number of clients of each replica
     * @param held how long a client holds the lock
     * @param patience how long a request of a client waits. A refused client repeats it with its token
     * @param chooseTokens whether clients choose their tokens
     * @param releasedThrough returns the replica that gets a release, for the replica that granted the lease
     */
    record Setup(
            List<Integer> clients,
            Duration held,
            Duration patience,
            boolean chooseTokens,
            IntUnaryOperator releasedThrough) {}

    /**
     * The outcome of a run.
     *
     * @param waits of all grants, sorted
     * @param served number of grants of each replica
     * @param commands number of commands to one master for each grant
     */
    record Result(List<Duration> waits, int[] served, int refused, double commands) {
        Duration median() {
            return waits.get(waits.size() / 2);
        }

        Duration longest() {
            return waits.get(waits.size() - 1);
        }

        /** Returns how many times the median the longest wait is. */
        double longestToMedian() {
            return (double) longest().toNanos() / median().toNanos();
        }

        @Override
        public String toString() {
            return "grants %s, %d refused, %.2f commands per master and grant, median wait %s, longest %.1f times as long"
                    .formatted(Arrays.toString(served), refused, commands, median(), longestToMedian());
        }
    }

    Contention(Setup setup, long seed) {
        this.setup = setup;
        this.random = new Random(seed);
        this.served = new int[setup.clients().size()];
        for (int i = 0; i < served.length; i++) {
            replicas.add(fleet.waitQueues(seed * 100 + i, fleet.signal(), new WaitingLimits(1_000, 1_000)));
        }
    }

    Result run(Duration duration) {
        varyLatencies();
        for (int replica = 0; replica < served.length; replica++) {
            for (int i = 0; i < setup.clients().get(replica); i++) {
                acquireLater(replica);
            }
        }
        fleet.time.pass(duration);
        waits.sort(null);
        return new Result(waits, served, refused, fleet.master(1).commands() / (double) waits.size());
    }

    /** Changes the round-trip time of each master every 5 ms. */
    private void varyLatencies() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofNanos(300_000 + random.nextInt(700_000))));
        fleet.time.after(Duration.ofMillis(5), this::varyLatencies);
    }

    private void acquireLater(int replica) {
        later(() -> {
            Optional<LeaseToken> token = setup.chooseTokens()
                    ? Optional.of(new LeaseToken("token-of-waiter-" + ++tokens))
                    : Optional.empty();
            acquire(replica, token, fleet.time.now());
        });
    }

    private void later(Runnable action) {
        fleet.time.after(Duration.ofNanos(random.nextLong(LONGEST_PAUSE.toNanos())), action);
    }

    private void acquire(int replica, Optional<LeaseToken> token, MonotonicTime began) {
        replicas.get(replica)
                .acquire(RESOURCE, new AcquireTerms(TTL, setup.patience(), token, Optional.empty(), LockKind.EXCLUSIVE))
                .thenAccept(outcome -> {
                    if (outcome instanceof Acquisition.Acquired acquired) {
                        served[replica]++;
                        waits.add(fleet.time.now().since(began));
                        fleet.time.after(setup.held(), () -> release(replica, acquired.lease()));
                    } else {
                        refused++;
                        later(() -> acquire(replica, token, began));
                    }
                });
    }

    private void release(int replica, Lease lease) {
        replicas.get(setup.releasedThrough().applyAsInt(replica))
                .release(RESOURCE, lease.token())
                .thenRun(() -> acquireLater(replica));
    }
}
