// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.time.Duration;

/**
 * The bounds of the time in which a call had its effect on the masters. They are exact in virtual time.
 *
 * @param asked the earliest time at which the votes of the answer were requested
 * @param grantsUntil until when votes for the lease of the call can arrive; {@link #NEVER} if this is open
 * @param endsUntil the call can end leases whose votes were requested before; 0 if it can end none
 */
public record Bounds(long asked, long grantsUntil, long endsUntil) {
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * Returns the bounds that a client of the service knows.
     *
     * @param longestAttempt the longest time between the start of an attempt and its end
     */
    public static Bounds observed(
            Operation operation, Terms terms, long sent, long answered, CallResult result, Duration longestAttempt) {
        Outcome outcome = result.outcome();
        long attempt = Math.max(sent, sent + result.elapsed() - longestAttempt.toNanos());
        long asked =
                switch (operation) {
                    case SESSION_EXTENSION -> attempt;
                        // The service asked at an unknown time before. A holder has one session at a time.
                    case SESSION_END -> outcome == Outcome.LOST ? answered : sent;
                    case ACQUIRE, SESSION -> terms.longestWait() > 0 ? attempt : sent;
                    case EXTEND, RELEASE, BREAK -> sent;
                };
        return new Bounds(asked, outcome.isUnknown() ? NEVER : answered, endsUntil(operation, answered, outcome));
    }

    /**
     * A release without a final answer is completed later. A forced release deletes only the lease that it found while its
     * client waited.
     */
    private static long endsUntil(Operation operation, long answered, Outcome outcome) {
        if (outcome == Outcome.REJECTED || outcome == Outcome.REFUSED) {
            return 0;
        }
        return switch (operation) {
            case RELEASE -> outcome.isUnknown() ? NEVER : answered;
            case BREAK -> outcome == Outcome.DONE || outcome.isUnknown() ? answered : 0;
            case ACQUIRE, EXTEND, SESSION, SESSION_EXTENSION, SESSION_END -> 0;
        };
    }
}
