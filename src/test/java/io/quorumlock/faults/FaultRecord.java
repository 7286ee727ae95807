// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Objects;

/**
 * A fault that happened.
 *
 * @param from time before its start
 * @param until time when its cause was removed; for a killed replica, when it was ready again
 * @param recovered time when the victim had recovered
 * @param evidence the observed effect; empty if none was seen
 */
record FaultRecord(
        int number,
        FaultKind kind,
        String victim,
        String command,
        long amount,
        long from,
        long until,
        long recovered,
        String evidence)
        implements HistoryLine {
    /** Empty texts are not written. */
    FaultRecord {
        evidence = Objects.requireNonNullElse(evidence, "");
    }

    boolean hasEvidence() {
        return !evidence.isEmpty();
    }

    boolean overlaps(long begin, long end) {
        return from < end && begin < until;
    }
}
