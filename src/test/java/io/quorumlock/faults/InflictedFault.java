package io.quorumlock.faults;

import java.util.Objects;

/**
 * A fault that happened.
 *
 * @param from before it began
 * @param until when its cause was taken away, of a killed replica when it was ready again
 * @param well when the victim was seen to be well again
 * @param evidence what was seen of it
 * @param proven whether that shows that it had an effect
 */
record InflictedFault(
        int number,
        FaultKind kind,
        String victim,
        String command,
        long amount,
        long from,
        long until,
        long well,
        String evidence,
        boolean proven)
        implements HistoryLine {
    /** What is empty is not written. */
    InflictedFault {
        evidence = Objects.requireNonNullElse(evidence, "");
    }
}
