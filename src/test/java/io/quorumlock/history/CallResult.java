// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Objects;

/**
 * The answer to a call. Only an answer with a lease has values other than the first two.
 *
 * @param detail the outcome as text, for people
 * @param validity in nanoseconds
 * @param elapsed what the service reported to have used since the request was sent, including the wait
 * @param spent the part of the elapsed time that is known to belong to the attempt, which the validity must not contain
 * @param extensions number of extensions so far
 */
public record CallResult(
        Outcome outcome, String detail, long fence, long validity, long elapsed, long spent, int extensions) {

    /** Creates an answer. Empty texts are not stored. */
    public CallResult {
        detail = Objects.requireNonNullElse(detail, "");
    }

    /** Creates an answer without a lease. */
    public static CallResult without(Outcome outcome, String detail) {
        return new CallResult(outcome, detail, 0, 0, 0, 0, 0);
    }
}
