// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.SeededRandom;

/** The run of one world. It must be safe during faults, recover after them, and leave nothing behind. */
final class Simulation {
    private static final int PROBER = 99;
    private static final long LONGEST = Scale.millis(300_000);
    private static final long STEP = Scale.millis(50);
    private static final long FAULTS_END = Scale.millis(2_600);
    /** The duration of a quarantine, and of the heartbeats by which replicas detect its start and end. */
    private static final long QUARANTINES_END = Scale.QUARANTINE.toNanos() + Scale.millis(3_000);
    /** The longest timer of a closed link. */
    private static final long TIMERS_END = Scale.millis(2_600);

    private final World world;
    private final SeededRandom random;

    private Simulation(long seed, boolean beyondTheModel, boolean logged) {
        this.world = new World(seed, beyondTheModel, logged);
        this.random = world.random.split();
    }

    static Run run(long seed, boolean beyondTheModel, boolean logged) {
        return new Simulation(seed, beyondTheModel, logged).run(seed);
    }

    private Run run(long seed) {
        Agenda agenda = world.agenda;
        world.begin();
        IdleLocks idle = new IdleLocks(world);
        while (!world.isIdle() && agenda.now() < LONGEST) {
            agenda.runUntil(agenda.now() + STEP);
            world.checkBounds();
            idle.check();
        }
        world.heal();
        world.story.log(() -> "all faults have ended");
        long began = agenda.now();
        agenda.runUntil(began + FAULTS_END);
        if (world.isSlowToRecover(began)) {
            agenda.runUntil(agenda.now() + QUARANTINES_END);
        }
        long healed = agenda.now();
        world.resources.forEach(resource -> probe(resource, healed, 1));
        agenda.runUntil(healed + Scale.RECOVERY.toNanos() + 4 * Scale.TTL_MAX.toNanos() + FAULTS_END);
        world.end();
        agenda.runUntil(agenda.now() + TIMERS_END);
        world.inspect();
        return Run.of(seed, world);
    }

    /** Tries to acquire the resource until it succeeds (L). */
    private void probe(ResourceName resource, long healed, int attempt) {
        LeaseToken token = new LeaseToken("prober-token-" + resource.text().replace('/', '-') + "-" + attempt);
        RequestTerms terms = new RequestTerms(resource, token, world.ttlMax());
        startCall(Operation.ACQUIRE, terms, call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                waitForEndOfLease(terms);
            } else if (world.agenda.now() - healed > Scale.RECOVERY.toNanos()) {
                world.history.found(Promise.L, resource + " cannot be acquired after the end of all faults: " + call);
            } else {
                world.agenda.after(random.millis(50, 100), () -> probe(resource, healed, attempt + 1));
            }
        });
    }

    /**
     * Waits for a lock that is not released. The waiter acquires it when the lease ends, with or without announcements
     * (R12).
     */
    private void waitForEndOfLease(RequestTerms held) {
        LeaseToken token = new LeaseToken(held.token().text() + "-waits");
        RequestTerms terms =
                new RequestTerms(held.resource(), token, held.ttl()).waiting(Scale.TTL_MAX.plus(Scale.LONGEST_CALL));
        startCall(Operation.ACQUIRE, terms, call -> {
            if (call.outcome.orElse(null) instanceof Acquisition.Acquired) {
                startCall(Operation.RELEASE, terms, released -> {});
            } else {
                world.history.found(Promise.R12, "did not acquire the lock after the lease ended: " + call);
            }
        });
    }

    private void startCall(Operation operation, RequestTerms terms, java.util.function.Consumer<SimulatedCall> then) {
        new Conversation(world, random, world.replicaFor(random, terms.ttl()), then)
                .begin(world.history.begin(PROBER, operation, terms, world.agenda.now()), terms, false);
    }
}
