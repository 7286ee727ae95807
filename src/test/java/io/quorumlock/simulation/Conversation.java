// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Operation;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.testing.SeededRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A call with its network delays between client and replica. The client waits only for a limited time. */
final class Conversation {
    private static final long PATIENCE = Scale.millis(1_000);
    private static final long SHORTEST_TRAVEL = 20_000;

    private final World world;
    private final SeededRandom random;
    private final Replica replica;
    private final Consumer<SimulatedCall> then;
    private CompletableFuture<?> future;
    private SimulatedCall call;
    private long arrival;
    private boolean over;
    /** Whether the connection was closed before the replica read the request. */
    private boolean gone;

    Conversation(World world, SeededRandom random, Replica replica, Consumer<SimulatedCall> then) {
        this.world = world;
        this.random = random;
        this.replica = replica;
        this.then = then;
    }

    void begin(SimulatedCall begun, RequestTerms terms, boolean impatient) {
        call = begun;
        call.replica = replica.number;
        call.impatient = impatient;
        call.clockRate = world.conditions.clientRate(random);
        call.mayComeBack = world.areVotesInFlight(call.token);
        world.opened();
        recordUse(terms);
        world.story.log(() -> "> " + call.operation + " #" + call.number + " client-" + call.client + " replica-"
                + replica.number + " " + terms.resource() + " " + terms.token().text() + " ttl "
                + terms.ttl().toMillis() + " at least " + terms.minValidity().toMillis());
        arrival = world.agenda.now() + travel();
        world.agenda.at(arrival, () -> serve(terms));
        int patience = (int) call.patience.toMillis();
        world.agenda.after(
                impatient
                        ? random.millis(0, random.onceIn(2) ? 4 : 60 + patience)
                        : PATIENCE + (long) (call.patience.toNanos() * (1 + Scale.RATE_ERROR)),
                this::leave);
    }

    private void serve(RequestTerms terms) {
        if (!replica.isUp() || !replica.allows(terms.longest())) {
            call.hindered = true;
            world.agenda.after(travel(), () -> end(Optional.empty()));
            return;
        }
        replica.run(() -> {
            if (gone) {
                return;
            }
            if (call.operation == Operation.ACQUIRE
                    && !call.patience.isZero()
                    && replica.waitersFor(call.resource) > 0) {
                recordRepeat();
            }
            replica.runOutsideTheLoop(() -> request(terms));
        });
    }

    private void request(RequestTerms terms) {
        replica.runOnLoop(() -> call.started = world.agenda.now());
        future = callEngine(terms);
        future.whenComplete((outcome, failure) -> {
            call.decided = world.agenda.now();
            call.gaveUp = endsLease(outcome);
            if (outcome instanceof Acquisition acquisition && !call.patience.isZero()) {
                acquisition.granted().ifPresent(lease -> call.asked = startOf(lease));
            }
            if (!future.isCancelled()) {
                world.agenda.after(travel(), () -> end(Optional.of(outcome)));
            }
        });
    }

    private CompletableFuture<?> callEngine(RequestTerms terms) {
        LockEngine engine = replica.engine();
        return switch (call.operation) {
            case SESSION, SESSION_EXTENSION, SESSION_END -> throw new IllegalArgumentException(
                    "a session has more than one answer");
            case BREAK -> replica.directory().forceRelease(terms.resource());
            case ACQUIRE -> engine.acquire(terms.resource(), terms.acquireTerms());
            case EXTEND -> engine.extend(terms.resource(), terms.token(), terms.extendTerms());
            case RELEASE -> engine.release(terms.resource(), terms.token());
        };
    }

    private void recordUse(RequestTerms terms) {
        if (!call.minValidity.isZero()) {
            world.coverage.count(Use.MIN_VALIDITY_ASKED);
        }
        if (!terms.extension().equals(terms.ttl()) && call.operation == Operation.EXTEND) {
            world.coverage.count(Use.EXTENDED_BY_ANOTHER_TTL);
        }
    }

    private void recordRepeat() {
        boolean repeated = world.history.calls().stream()
                .anyMatch(
                        other -> other.token.equals(call.token) && other.lease().isPresent());
        if (repeated) {
            world.coverage.count(Use.REPEATED_BEHIND_WAITERS);
        }
    }

    private void recordUse(Object outcome) {
        if (outcome instanceof Acquisition.Replayed) {
            world.coverage.count(Use.REPLAYED);
        }
        if (outcome instanceof Acquisition.Acquired acquired
                && !acquired.lease().waited().isZero()) {
            world.coverage.count(Use.WAITED);
        }
        if (outcome instanceof ForcedRelease.Broken) {
            world.coverage.count(Use.BROKEN_BY_FORCE);
        }
    }

    /** Returns when the attempt began that was decided just now. A waiter makes several. */
    private long startOf(Lease lease) {
        return Math.max(call.invoked, replica.clock().trueTime(lease.elapsed()));
    }

    private static boolean endsLease(Object outcome) {
        return outcome instanceof Extension.TooShort
                || outcome instanceof Acquisition.TooShort tooShort && tooShort.wasHeld();
    }

    private void leave() {
        if (!over) {
            world.agenda.at(
                    Math.max(arrival, world.agenda.now() + travel()),
                    () -> replica.run(() -> replica.runOutsideTheLoop(this::cancel)));
            finish();
        }
    }

    private void cancel() {
        gone = true;
        if (future != null && future.cancel(false)) {
            call.left = true;
            world.watch(call);
            if (call.operation == Operation.RELEASE) {
                world.coverage.count(Use.RELEASE_ABANDONED);
            }
        }
    }

    private void end(Optional<Object> outcome) {
        if (!over) {
            outcome.ifPresent(this::recordUse);
            call.outcome = outcome;
            call.returned = world.agenda.now();
            world.watch(call);
            finish();
        }
    }

    private void finish() {
        over = true;
        call.hindered |= replica.hinderedAt() >= call.invoked;
        call.suspended = replica.suspendedAt() >= call.invoked;
        world.closed();
        world.story.log(() -> "< " + call.operation + " #" + call.number + " "
                + call.outcome.map(Object::toString).orElse("timed out"));
        then.accept(call);
    }

    private long travel() {
        return SHORTEST_TRAVEL + random.millis(0, 2);
    }
}
