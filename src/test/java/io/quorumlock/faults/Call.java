// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A call of a client, with its times and answer.
 *
 * @param lease number of the lease, which stands for its token. Each token is used for one lease, or for an attempt
 * with a wrong token
 * @param attempt number of acquires with this token
 * @param waitMs how long the client waits for the lock
 * @param minValidityMs the minimum validity that the client requests
 * @param connected when the connection was made, which can be long before
 * @param status status of the answer; 0 without an answer
 * @param problem type of the problem, or the reason for no answer
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

    /** Empty texts are not written. */
    Call {
        problem = Objects.requireNonNullElse(problem, "");
    }

    static final String VANISHED = "vanished";
    static final String REFUSED = "refused";
    /** The reason in a session's last event: a majority no longer holds the lease. */
    static final String LOST = "lost";

    private static final Set<String> NOTHING_DONE = Set.of(
            REFUSED, "overloaded", "shutting-down", "too-many-requests", "too-many-waiters", "too-many-sessions");

    /** The conclusion of the client. */
    enum Result {
        OK,
        FAIL,
        UNKNOWN
    }

    /** Returns whether the call requests a lease. */
    @JsonIgnore
    boolean isRequestForLease() {
        return operation == Operation.ACQUIRE || operation == Operation.SESSION;
    }

    @JsonIgnore
    boolean isGrant() {
        return isRequestForLease() && result == Result.OK;
    }

    /** Returns whether the answer contained a lease: a grant, a replay, an extension, or an event of a session. */
    @JsonIgnore
    boolean hasLease() {
        return operation != Operation.RELEASE && operation != Operation.BREAK && result == Result.OK;
    }

    @JsonIgnore
    boolean isReplay() {
        return operation == Operation.ACQUIRE && status == 200;
    }

    /** Returns whether the lease lasts for {@code elapsedMs + validityMs} from the request, instead of for its TTL. */
    @JsonIgnore
    boolean countsElapsedTime() {
        boolean inSession = operation == Operation.SESSION || operation == Operation.EVENT;
        return isReplay() || inSession || operation == Operation.ACQUIRE && waitMs > 0;
    }

    /** Returns the earliest time at which the service can have started the attempt that granted the lease. */
    @JsonIgnore
    long begun() {
        boolean late = operation == Operation.EVENT || waitMs > 0;
        long attempt = invoked + TimeUnit.MILLISECONDS.toNanos(elapsedMs) - TimeCheck.LONGEST.toNanos();
        return late ? Math.max(invoked, attempt) : invoked;
    }

    /**
     * Returns whether the call may end a lease of its own token: a release, or a call with a minimum validity. A call
     * that did not reach the service or was rejected ends nothing.
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
     * Returns until when the call can end a lease. A release without a final answer is completed later. A call with a
     * minimum validity is not, because a disconnected client keeps its lease. A forced release deletes only the lease
     * that it found while its client waited.
     */
    @JsonIgnore
    long effectUntil() {
        return operation == Operation.RELEASE && result == Result.UNKNOWN ? Long.MAX_VALUE : returned;
    }

    /** Returns whether the answer said that the holder no longer has the lease. */
    @JsonIgnore
    boolean isDenied() {
        return status == 404 || status == 409 || operation == Operation.EVENT && problem.equals(LOST);
    }

    /** Returns whether the client disconnected without reading the answer. */
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
