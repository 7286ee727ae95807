package io.quorumlock.faults;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One call of one client: what it asked of which replica, when, and what came back.
 *
 * @param lease numbers the lease and stands for its token: each token is used for one lease, or for a stranger's attempt
 * @param attempt counts the acquires with this token
 * @param waitMs how long the client was willing to wait for the lock
 * @param minValidityMs the least validity that the client accepts
 * @param connected when the connection was made, which may be long before
 * @param status of the answer, or 0 without one
 * @param problem the type of the problem, or why there was no answer
 */
record Call(
        String process,
        int replica,
        Operation operation,
        String resource,
        String lease,
        int attempt,
        long ttlMs,
        long waitMs,
        long minValidityMs,
        long connected,
        long invoked,
        long returned,
        Result result,
        int status,
        String problem,
        long fence,
        long validityMs,
        long elapsedMs)
        implements HistoryLine {

    /** What is empty is not written. */
    Call {
        problem = Objects.requireNonNullElse(problem, "");
    }

    static final String VANISHED = "vanished";
    static final String REFUSED = "refused";
    /** The reason of a session's last event: a majority no longer holds the lease. */
    static final String LOST = "lost";

    private static final Set<String> NOTHING_DONE = Set.of(
            REFUSED, "overloaded", "shutting-down", "too-many-requests", "too-many-waiters", "too-many-sessions");

    /** The conclusion of the client. */
    enum Result {
        OK,
        FAIL,
        UNKNOWN
    }

    /** Returns whether the call asks for a lease. */
    @JsonIgnore
    boolean isRequestForLease() {
        return operation == Operation.ACQUIRE || operation == Operation.SESSION;
    }

    @JsonIgnore
    boolean isGrant() {
        return isRequestForLease() && result == Result.OK;
    }

    /** Returns whether the answer brought a lease: a grant, a replay of one, an extension, or an event of a session. */
    @JsonIgnore
    boolean hasLease() {
        return operation != Operation.RELEASE && operation != Operation.BREAK && result == Result.OK;
    }

    @JsonIgnore
    boolean isReplay() {
        return operation == Operation.ACQUIRE && status == 200;
    }

    /** Returns whether the lease lasts for {@code elapsedMs + validityMs} from the request, and not for its TTL. */
    @JsonIgnore
    boolean countsElapsedTime() {
        boolean inSession = operation == Operation.SESSION || operation == Operation.EVENT;
        return isReplay() || inSession || operation == Operation.ACQUIRE && waitMs > 0;
    }

    /** Returns the earliest moment at which the service can have begun what brought the lease. */
    @JsonIgnore
    long begun() {
        boolean late = operation == Operation.EVENT || waitMs > 0;
        long attempt = invoked + TimeUnit.MILLISECONDS.toNanos(elapsedMs) - TimeCheck.LONGEST.toNanos();
        return late ? Math.max(invoked, attempt) : invoked;
    }

    /**
     * Returns whether the call may end a lease of its own token: a release, or a call with a least validity. A call that did not
     * reach the service, or that was turned away, ends nothing.
     */
    @JsonIgnore
    boolean mayEndOwnLease() {
        boolean gaveUp = operation == Operation.RELEASE || operation != Operation.BREAK && minValidityMs > 0;
        return gaveUp && !NOTHING_DONE.contains(problem);
    }

    /** Returns whether the call may end a lease of another token. */
    @JsonIgnore
    boolean mayBreakLease() {
        return operation == Operation.BREAK && result != Result.FAIL;
    }

    /**
     * Returns the end of the time in which the call can have ended a lease. A release without a final answer is carried
     * through later. A call with a least validity is not, because a client that hung up keeps its lease. A forced release deletes
     * only what it found while the client waited for it.
     */
    @JsonIgnore
    long effectUntil() {
        return operation == Operation.RELEASE && result == Result.UNKNOWN ? Long.MAX_VALUE : returned;
    }

    /** Returns whether the holder was told that the lease is not its own any more. */
    @JsonIgnore
    boolean isDenied() {
        return status == 404 || status == 409 || operation == Operation.EVENT && problem.equals(LOST);
    }

    /** Returns whether the client left without reading the answer. */
    @JsonIgnore
    boolean isHungUp() {
        return problem.equals(VANISHED);
    }

    @JsonIgnore
    boolean isAnswered() {
        return status != 0;
    }

    @Override
    public String toString() {
        return process + " replica-" + replica + " " + operation + " " + resource + " lease " + lease + " ttl " + ttlMs
                + " wait " + waitMs + " least " + minValidityMs
                + " invoked " + invoked + " returned " + returned + " " + result + " " + status + " " + problem
                + " fence " + fence + " validity " + validityMs + " elapsed " + elapsedMs;
    }
}
