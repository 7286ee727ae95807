// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Optional;

/**
 * A call of a client, or an event of its session. Times are in nanoseconds of the clock of the history.
 *
 * @param client the client, or the process with many of them
 * @param connected when the connection was made, which can be long before the call
 * @param clockError the relative error of the client's clock
 * @param sent when the client sent the request; for an event, that of the session
 * @param answered when the answer arrived, or the client gave up
 */
public record Call(
        String client,
        int replica,
        long connected,
        double clockError,
        Operation operation,
        Terms terms,
        long sent,
        long answered,
        CallResult result,
        Bounds bounds) {

    /** Returns whether the call requests a lease. */
    public boolean requestsLease() {
        return operation == Operation.ACQUIRE || operation == Operation.SESSION;
    }

    /** Returns whether the answer contains a lease: a grant, a replay, an extension, or an event of a session. */
    public boolean hasLease() {
        boolean took = outcome() == Outcome.DONE || outcome() == Outcome.REPLAYED;
        return took && operation != Operation.RELEASE && operation != Operation.BREAK;
    }

    public boolean gotLease() {
        return requestsLease() && hasLease();
    }

    public Outcome outcome() {
        return result.outcome();
    }

    /** Returns when the answer was requested: for an event, when the service asked the masters for it. */
    long requested() {
        return operation.isEvent() ? bounds.asked() : sent;
    }

    /**
     * Returns the claim by the answer: from its arrival until {@code sent + ttl - drift}, or until {@code sent + elapsed
     * + validity} after a wait, a replay and in sessions. A lease that ended before the answer has no claim.
     */
    public Optional<Claim> claim(HistoryLimits limits) {
        if (!hasLease()) {
            return Optional.empty();
        }
        boolean whole = (operation == Operation.ACQUIRE || operation == Operation.EXTEND)
                && terms.longestWait() == 0
                && outcome() != Outcome.REPLAYED;
        long length = whole ? limits.usable(terms.ttl()) : result.elapsed() + result.validity();
        long end = sent + (long) (length / (1 + clockError));
        return new Claim(this, answered, end).endingBy(end);
    }
}
