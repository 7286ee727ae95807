// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Lease;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.history.CallResult;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.testing.SeededRandom;
import io.quorumlock.testing.SessionEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A session between client and replica: a request and a stream of events. */
final class SessionExchange {
    private static final long LONGEST = Scale.SESSION_LONGEST.toNanos() + Scale.millis(1_000);
    private static final long SHORTEST_TRAVEL = 20_000;
    private static final Duration LONGEST_ROUND = Scale.NODE_TIMEOUT.multipliedBy(2);

    private final Cluster cluster;
    private final SeededRandom random;
    private final Replica replica;
    private final RequestTerms terms;
    private final SimulatedCall call;
    private final Listener listener;
    private Consumer<SessionEndReason> session = why -> {};
    private long arrival;
    private long lastArrival;
    private boolean over;
    /** Whether the connection ended before the replica read the request. */
    private boolean disconnected;

    /** The client of the session. */
    interface Listener {
        void begun(SessionExchange session);

        void over(SimulatedCall call);
    }

    SessionExchange(
            Cluster cluster,
            SeededRandom random,
            Replica replica,
            SimulatedCall call,
            RequestTerms terms,
            Listener listener) {
        this.cluster = cluster;
        this.random = random;
        this.replica = replica;
        this.terms = terms;
        this.call = call;
        this.listener = listener;
    }

    void begin() {
        call.replica = replica.number;
        cluster.opened();
        cluster.log.add(() ->
                "> SESSION #" + call.number + " client-" + call.client + " replica-" + replica.number + " " + call);
        arrival = cluster.events.now() + travel();
        cluster.events.at(arrival, this::open);
        cluster.events.after(LONGEST + (long) (call.patience.toNanos() * (1 + Scale.RATE_ERROR)), this::close);
    }

    SimulatedCall call() {
        return call;
    }

    private void open() {
        if (!replica.isUp() || !replica.allows(call.ttl)) {
            call.hindered = true;
            cluster.events.after(travel(), this::finish);
            return;
        }
        replica.run(() -> {
            if (!disconnected) {
                replica.runOutsideTheLoop(() -> {
                    replica.runOnLoop(() -> call.started = cluster.events.now());
                    session = replica.sessions()
                            .open(terms.resources().first(), terms.acquireTerms(), SessionEvent.client(this::send));
                });
            }
        });
    }

    /** Sends a message to the client. Runs at the replica. */
    private void send(SessionEvent event) {
        long decided = cluster.events.now();
        if (!call.isDecided()) {
            call.decided = decided;
        }
        long asked = replica.clock().trueTime(duration(event));
        lastArrival = Math.max(lastArrival, decided + travel());
        cluster.events.at(lastArrival, () -> receive(event, asked));
    }

    /** Returns how long the replica asked the masters, by its own clock. */
    private static Duration duration(SessionEvent event) {
        return event instanceof SessionEvent.Extended extended
                ? extended.lease().elapsed()
                : LONGEST_ROUND;
    }

    private void receive(SessionEvent event, long asked) {
        if (over) {
            return;
        }
        cluster.log.add(() -> "  SESSION #" + call.number + " received " + event);
        if (call.hasReturned()) {
            record(event, asked);
        } else {
            call.outcome = Optional.of(event);
            call.returned = cluster.events.now();
            new CleanUpChecks(cluster, call).plan();
        }
        if (event instanceof SessionEvent.Began) {
            listener.begun(this);
        } else if (!(event instanceof SessionEvent.Extended)) {
            finish();
        }
    }

    private void record(SessionEvent event, long asked) {
        String detail = event.toString();
        if (event instanceof SessionEvent.Extended extended) {
            Lease lease = extended.lease();
            CallResult result = new CallResult(
                    Outcome.DONE,
                    detail,
                    lease.fence().number(),
                    lease.validity().toNanos(),
                    passed(extended.since()),
                    lease.elapsed().toNanos(),
                    Scale.EXTENSIONS_MAX - lease.extensionsLeft().orElseThrow());
            record(Operation.SESSION_EXTENSION, result, asked);
        } else if (event instanceof SessionEvent.Ended ended && !ended.left().isZero()) {
            long left = ended.left().toNanos();
            CallResult result = new CallResult(Outcome.DONE, detail, 0, left, passed(ended.since()), 0, 0);
            record(Operation.SESSION_END, result, call.invoked);
        } else {
            boolean lost = event instanceof SessionEvent.Lost end && end.why() == SessionEndReason.LOST;
            record(Operation.SESSION_END, CallResult.without(lost ? Outcome.LOST : Outcome.ENDED, detail), asked);
        }
    }

    private void record(Operation operation, CallResult result, long asked) {
        cluster.calls.received(call.recorded(operation, cluster.events.now(), result, asked));
    }

    /**
     * Converts a duration of a session, measured by the replica's clock. The client subtracts the possible difference
     * of two clocks.
     */
    private static long passed(Duration since) {
        return (long) (since.toNanos() * (1 - Scale.DRIFT.factor()));
    }

    /** Closes the connection. */
    void close() {
        if (!over) {
            cluster.coverage.count(Feature.SESSION_ENDED_BY_CLIENT);
            call.impatient = true;
            cluster.events.at(
                    Math.max(arrival, cluster.events.now() + travel()),
                    () -> replica.run(() -> replica.runOutsideTheLoop(this::leave)));
            finish();
        }
    }

    /** Loses the connection. The replica detects this later. */
    void loseConnection() {
        if (!over) {
            call.impatient = true;
            cluster.events.after(
                    random.millis(0, 300), () -> replica.run(() -> replica.runOutsideTheLoop(this::leave)));
            finish();
        }
    }

    private void leave() {
        disconnected = true;
        replica.runOnLoop(this::recordLeaving);
        session.accept(SessionEndReason.GONE);
    }

    /** Runs on the replica's event loop, immediately before it ends the session. */
    private void recordLeaving() {
        if (!call.isDecided()) {
            call.left = true;
            new CleanUpChecks(cluster, call).plan();
        }
    }

    private void finish() {
        if (!over) {
            over = true;
            call.hindered |= replica.hinderedAt() >= call.invoked;
            call.suspended = replica.suspendedAt() >= call.invoked;
            cluster.closed();
            listener.over(call);
        }
    }

    private long travel() {
        return SHORTEST_TRAVEL + random.millis(0, 2);
    }
}
