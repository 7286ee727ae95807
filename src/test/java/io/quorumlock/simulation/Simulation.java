// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;
import io.quorumlock.testing.SeededRandom;

/** The run of one simulated cluster. It must be safe during faults, recover after them, and leave nothing behind. */
final class Simulation {
    private static final int PROBER = 99;
    private static final long LONGEST = Scale.millis(300_000);
    private static final long STEP = Scale.millis(50);
    private static final long FAULTS_END = Scale.millis(2_600);
    /** The duration of a quarantine, and of the heartbeats by which replicas detect its start and end. */
    private static final long QUARANTINES_END = Scale.QUARANTINE.toNanos() + Scale.millis(3_000);
    /** The longest timer of a replica that ended. */
    private static final long TIMERS_END = Scale.millis(5_500);

    private final Cluster cluster;
    private final SeededRandom random;

    private Simulation(long seed, Scenario scenario, boolean logged) {
        this.cluster = new Cluster(seed, scenario, logged);
        this.random = cluster.random.split();
    }

    static Run run(long seed, Scenario scenario, boolean logged) {
        return new Simulation(seed, scenario, logged).run(seed);
    }

    private Run run(long seed) {
        EventQueue events = cluster.events;
        cluster.begin();
        IdleLockCheck idle = new IdleLockCheck(cluster);
        while (!cluster.isIdle() && events.now() < LONGEST) {
            events.runUntil(events.now() + STEP);
            cluster.checkBounds();
            idle.check();
        }
        cluster.heal();
        cluster.log.add(() -> "all faults have ended");
        long began = events.now();
        events.runUntil(began + FAULTS_END);
        if (cluster.isSlowToRecover(began)) {
            events.runUntil(events.now() + QUARANTINES_END);
        }
        long healed = events.now();
        cluster.resources.forEach(resource -> probe(resource, healed, 1));
        events.runUntil(healed + Scale.RECOVERY.toNanos() + 4 * Scale.TTL_MAX.toNanos() + FAULTS_END);
        if (cluster.scenario == Scenario.CONSENSUS) {
            new RepeatedAcquireCheck(cluster, random).begin();
            events.runUntil(events.now() + RepeatedAcquireCheck.LONGEST);
            new VanishedHolderCheck(cluster, random).begin();
            events.runUntil(events.now() + VanishedHolderCheck.LONGEST);
        }
        cluster.end();
        events.runUntil(events.now() + TIMERS_END);
        cluster.inspect();
        return Run.of(seed, cluster);
    }

    /** Tries to acquire the resource until it succeeds (L). */
    private void probe(ResourceName resource, long healed, int attempt) {
        LeaseToken token = new LeaseToken("prober-token-" + resource.text().replace('/', '-') + "-" + attempt);
        RequestTerms terms = RequestTerms.of(resource, token, cluster.ttlMax());
        startCall(Operation.ACQUIRE, terms, call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                waitForEndOfLease(terms);
            } else if (cluster.events.now() - healed > Scale.RECOVERY.toNanos()) {
                cluster.calls.found(Promise.L, resource + " cannot be acquired after the end of all faults: " + call);
            } else {
                cluster.events.after(random.millis(50, 100), () -> probe(resource, healed, attempt + 1));
            }
        });
    }

    /**
     * Waits for a lock that is not released. The waiter acquires it when the lease ends, with or without announcements
     * (R12).
     */
    private void waitForEndOfLease(RequestTerms held) {
        LeaseToken token = new LeaseToken(held.token().text() + "-waits");
        RequestTerms terms = RequestTerms.of(held.resources().first(), token, held.ttl())
                .waiting(Scale.TTL_MAX.plus(Scale.LONGEST_CALL));
        startCall(Operation.ACQUIRE, terms, call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                startCall(Operation.RELEASE, terms, released -> {});
            } else {
                cluster.calls.found(Promise.R12, "did not acquire the lock after the lease ended: " + call);
            }
        });
    }

    private void startCall(Operation operation, RequestTerms terms, java.util.function.Consumer<SimulatedCall> then) {
        new Exchange(cluster, random, cluster.replicaFor(random, terms.ttl()), then)
                .begin(cluster.calls.begin(PROBER, operation, terms, cluster.events.now()), terms, false);
    }
}
