package io.quorumlock.faults;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;

/**
 * Is one call of one client: what it asked of which replica, when, and what came back.
 *
 * @param lease numbers the lease and stands for its token: each token is used for one lease, or for a stranger's attempt
 * @param attempt counts the acquires with this token
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

    /** Is what a client may conclude. */
    enum Result {
        OK,
        FAIL,
        UNKNOWN
    }

    @JsonIgnore
    boolean isGrant() {
        return operation == Operation.ACQUIRE && result == Result.OK;
    }

    /** Says whether the answer brought a lease: a grant, a replay of one, or an extension. */
    @JsonIgnore
    boolean hasLease() {
        return operation != Operation.RELEASE && result == Result.OK;
    }

    @JsonIgnore
    boolean isReplay() {
        return operation == Operation.ACQUIRE && status == 200;
    }

    /** Says whether the holder was told that the lease is not its own any more. */
    @JsonIgnore
    boolean isDenied() {
        return status == 404 || status == 409;
    }

    @JsonIgnore
    boolean isAnswered() {
        return status != 0;
    }

    @Override
    public String toString() {
        return process + " replica-" + replica + " " + operation + " " + resource + " lease " + lease + " ttl " + ttlMs
                + " invoked " + invoked + " returned " + returned + " " + result + " " + status + " " + problem
                + " fence " + fence + " validity " + validityMs;
    }
}
