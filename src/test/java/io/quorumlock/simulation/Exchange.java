// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.history.Operation;
import io.quorumlock.testing.SeededRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** A call with its network delays between client and replica. The client waits only for a limited time. */
final class Exchange {
    private static final long PATIENCE = Scale.millis(1_000);
    private static final long SHORTEST_TRAVEL = 20_000;

    private final Cluster cluster;
    private final SeededRandom random;
    private final Replica replica;
    private final Consumer<SimulatedCall> then;
    private CompletableFuture<?> future;
    private SimulatedCall call;
    private long arrival;
    private boolean over;
    /** Whether the connection was closed before the replica read the request. */
    private boolean disconnected;

    Exchange(Cluster cluster, SeededRandom random, Replica replica, Consumer<SimulatedCall> then) {
        this.cluster = cluster;
        this.random = random;
        this.replica = replica;
        this.then = then;
    }

    void begin(SimulatedCall begun, RequestTerms terms, boolean impatient) {
        call = begun;
        call.replica = replica.number;
        call.impatient = impatient;
        call.clockRate = cluster.conditions.clientRate(random);
        call.mayComeBack = cluster.areVotesInFlight(call.token);
        cluster.opened();
        if (call.operation == Operation.EXTEND && !terms.extension().equals(terms.ttl())) {
            cluster.coverage.count(Feature.EXTENDED_BY_ANOTHER_TTL);
        }
        cluster.log.add(() -> "> " + call.operation + " #" + call.number + " client-" + call.client + " replica-"
                + replica.number + " " + terms.resources() + " " + terms.token().text() + " ttl "
                + terms.ttl().toMillis());
        arrival = cluster.events.now() + travel();
        cluster.events.at(arrival, () -> serve(terms));
        int patience = (int) call.patience.toMillis();
        cluster.events.after(
                impatient
                        ? random.millis(0, random.onceIn(2) ? 4 : 60 + patience)
                        : PATIENCE + (long) (call.patience.toNanos() * (1 + Scale.RATE_ERROR)),
                this::leave);
    }

    private void serve(RequestTerms terms) {
        if (!replica.isUp() || !replica.allows(terms.longest())) {
            call.hindered = true;
            cluster.events.after(travel(), () -> end(Optional.empty()));
            return;
        }
        replica.run(() -> {
            if (!disconnected) {
                replica.runOutsideTheLoop(() -> request(terms));
            }
        });
    }

    private void request(RequestTerms terms) {
        replica.runOnLoop(() -> call.started = cluster.events.now());
        future = callEngine(terms);
        future.whenComplete((outcome, failure) -> {
            call.decided = cluster.events.now();
            if (outcome instanceof Acquisition acquisition && !call.patience.isZero()) {
                acquisition.granted().ifPresent(lease -> call.asked = startOf(lease));
            }
            if (!future.isCancelled()) {
                cluster.events.after(travel(), () -> end(answer(outcome, failure)));
            }
        });
    }

    private CompletableFuture<?> callEngine(RequestTerms terms) {
        LockEngine engine = replica.engine();
        return switch (call.operation) {
            case SESSION, SESSION_EXTENSION, SESSION_END -> throw new IllegalArgumentException(
                    "a session has more than one answer");
            case BREAK -> replica.directory().forceRelease(terms.resources().first(), ForceTerms.ALL);
            case ACQUIRE -> engine.acquire(terms.resources(), terms.acquireTerms());
            case EXTEND -> engine.extend(terms.resources(), terms.token(), terms.extension());
            case RELEASE -> engine.release(terms.resources(), terms.token(), terms.keep());
        };
    }

    private static Optional<Object> answer(Object outcome, Throwable bug) {
        if (bug != null) {
            throw new CompletionException(bug);
        }
        return Optional.of(outcome);
    }

    /** Returns when the attempt began that was decided just now. A waiter makes several. */
    private long startOf(Lease lease) {
        return Math.max(call.invoked, replica.clock().trueTime(lease.elapsed()));
    }

    private void leave() {
        if (!over) {
            cluster.events.at(
                    Math.max(arrival, cluster.events.now() + travel()),
                    () -> replica.run(() -> replica.runOutsideTheLoop(this::cancel)));
            finish();
        }
    }

    private void cancel() {
        disconnected = true;
        if (future != null && future.cancel(false)) {
            call.left = true;
            new CleanUpChecks(cluster, call).plan();
        }
    }

    private void end(Optional<Object> outcome) {
        if (!over) {
            call.outcome = outcome;
            call.returned = cluster.events.now();
            new CleanUpChecks(cluster, call).plan();
            finish();
        }
    }

    private void finish() {
        over = true;
        call.hindered |= replica.hinderedAt() >= call.invoked;
        call.suspended = replica.suspendedAt() >= call.invoked;
        cluster.closed();
        cluster.log.add(() -> "< " + call.operation + " #" + call.number + " "
                + call.outcome.map(Object::toString).orElse("timed out"));
        then.accept(call);
    }

    private long travel() {
        return SHORTEST_TRAVEL + random.millis(0, 2);
    }
}
