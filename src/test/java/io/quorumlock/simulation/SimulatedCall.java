// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.LockOutcome;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.history.Bounds;
import io.quorumlock.history.Call;
import io.quorumlock.history.CallResult;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Terms;
import io.quorumlock.testing.SessionEvent;
import java.time.Duration;
import java.util.Optional;

/** A call of a simulated client with its terms, times and outcome. All times are true times. */
final class SimulatedCall {
    static final long NEVER = Bounds.NEVER;
    /** A release that a master did not acknowledge is repeated for the longest TTL. */
    private static final long REPEATED = (long) (Scale.TTL_MAX.toNanos() * (1 + 2 * Scale.RATE_ERROR));

    final int number;
    final int client;
    final Operation operation;
    final ResourceNames resources;
    final LeaseToken token;
    final Duration ttl;
    final Duration patience;
    final Duration keep;
    final LockKind kind;
    final long invoked;
    int replica;
    /** When the engine received the call. */
    long started = NEVER;
    /** When the attempt began that decided the outcome. */
    long asked;

    long decided = NEVER;
    long returned = NEVER;
    /** The outcome; empty if the client left or no outcome arrived. */
    Optional<Object> outcome = Optional.empty();
    /** Whether votes for the lease were in flight when a release was sent. They can restore the lease. */
    boolean mayComeBack;
    /** Whether the caller left before the engine decided (R11). */
    boolean left;
    /** Whether the caller leaves early. Its leaving is then no evidence of a slow call. */
    boolean impatient;
    /** Whether the replica crashed, paused or was down. There is no time limit then. */
    boolean hindered;
    /** Whether the replica's clock stopped during the call. The measured time is then too short. */
    boolean suspended;
    /** The rate of the client's clock. */
    double clockRate = 1;

    SimulatedCall(int number, int client, Operation operation, RequestTerms terms, long invoked) {
        this.number = number;
        this.client = client;
        this.operation = operation;
        this.resources = terms.resources();
        this.token = terms.token();
        this.ttl = operation == Operation.EXTEND ? terms.extension() : terms.ttl();
        this.patience = requestsLease() ? terms.patience() : Duration.ZERO;
        this.keep = operation == Operation.RELEASE ? terms.keep() : Duration.ZERO;
        this.kind = terms.kind();
        this.invoked = invoked;
        this.asked = invoked;
    }

    boolean requestsLease() {
        return operation == Operation.ACQUIRE || operation == Operation.SESSION;
    }

    /** Returns the lease in the outcome, if it has one. */
    Optional<Lease> lease() {
        Object answer = outcome.orElse(null);
        if (answer instanceof Acquisition acquisition) {
            return acquisition.granted();
        }
        if (answer instanceof SessionEvent.Began begun) {
            return Optional.of(begun.lease());
        }
        return answer instanceof Extension.Extended extended ? Optional.of(extended.lease()) : Optional.empty();
    }

    boolean isDecided() {
        return decided != NEVER;
    }

    boolean hasReturned() {
        return returned != NEVER;
    }

    /** Returns the call as a part of a history. */
    Call recorded() {
        Bounds bounds = new Bounds(suspended ? invoked : asked, returned, endsUntil());
        CallResult result = lease().map(this::result)
                .orElseGet(() -> CallResult.without(
                        conclusion(), outcome.map(Object::toString).orElse("")));
        return recorded(operation, returned, result, bounds);
    }

    /** Returns an event of the session as a part of a history. */
    Call recorded(Operation event, long heard, CallResult result, long eventAsked) {
        return recorded(event, heard, result, new Bounds(eventAsked, heard, 0));
    }

    private Call recorded(Operation operated, long answered, CallResult result, Bounds bounds) {
        Terms terms = new Terms(
                resources.list().stream().map(ResourceName::text).toList(),
                token.text(),
                ttl.toNanos(),
                operated == operation ? patience.toNanos() : 0,
                keep.toNanos(),
                this.kind);
        return new Call(
                "client-" + client,
                replica,
                invoked,
                clockRate - 1,
                operated,
                terms,
                invoked,
                answered,
                result,
                bounds);
    }

    private CallResult result(Lease lease) {
        return new CallResult(
                conclusion(),
                outcome.orElseThrow().toString(),
                lease.fence().number(),
                lease.validity().toNanos(),
                lease.waited().plus(lease.elapsed()).toNanos(),
                suspended ? 0 : spent(lease),
                Scale.EXTENSIONS_MAX - lease.extensionsLeft().orElseThrow());
    }

    /** Returns the least time that a replica's clock measures for the attempt. */
    private long spent(Lease lease) {
        if (operation == Operation.SESSION) {
            return lease.elapsed().toNanos(); // a session begins its acquire in a later turn of the event loop
        }
        long waited = (long) (lease.waited().toNanos() / (1 - Scale.DRIFT.factor()) / (1 - Scale.RATE_ERROR));
        return (long) ((decided - started - waited) * (1 - Scale.RATE_ERROR));
    }

    private long endsUntil() {
        if (conclusion() == Outcome.REFUSED) {
            return 0;
        }
        return switch (operation) {
            case RELEASE -> isDecided() ? decided + REPEATED : NEVER;
            case BREAK -> endOfForce();
            case ACQUIRE, EXTEND, SESSION, SESSION_EXTENSION, SESSION_END -> 0;
        };
    }

    /** A disconnect of the operator does not end the operation: a paused replica executes it when it resumes. */
    private long endOfForce() {
        boolean broken = conclusion() == Outcome.DONE || conclusion() == Outcome.UNCONFIRMED;
        return outcome.isEmpty() ? NEVER : broken ? decided : 0;
    }

    private Outcome conclusion() {
        Object answer = outcome.orElse(null);
        if (answer instanceof SessionEvent.Refused refused) {
            answer = refused.why();
        }
        if (answer instanceof LockOutcome known) {
            return conclusion(known);
        }
        if (answer instanceof SessionEvent) {
            return answer instanceof SessionEvent.Began ? Outcome.DONE : Outcome.ENDED;
        }
        return hasReturned() ? Outcome.REFUSED : impatient ? Outcome.LEFT : Outcome.UNANSWERED;
    }

    private Outcome conclusion(LockOutcome known) {
        String kind = known.kind().toString();
        return switch (kind) {
            case "ACQUIRED", "EXTENDED", "BROKEN" -> Outcome.DONE;
            case "RELEASED" -> mayComeBack ? Outcome.UNCONFIRMED : Outcome.DONE;
            case "LOST", "NOT_OWNER", "FREE", "LEFT_ALONE" -> Outcome.LOST;
            case "TOKEN_IN_USE", "OTHER_SLOTS", "TOO_MANY_WAITERS", "SHUTTING_DOWN", "EXHAUSTED" -> Outcome.REJECTED;
            default -> Outcome.valueOf(kind);
        };
    }

    @Override
    public String toString() {
        String answer = outcome.map(Object::toString).orElse(left ? "left" : "no answer");
        return "call " + number + " client-" + client + " replica-" + replica + " " + operation + " " + resources + " "
                + token.text() + " ttl " + ttl.toMillis() + " waiting "
                + patience.toMillis() + " invoked"
                + RunLog.time(invoked) + " returned "
                + (hasReturned() ? RunLog.time(returned) : "never") + " " + answer;
    }
}
