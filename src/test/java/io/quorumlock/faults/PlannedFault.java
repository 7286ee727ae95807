package io.quorumlock.faults;

import java.util.Locale;

/**
 * One fault of a plan, in milliseconds from the start of the load.
 *
 * @param target the number of the master or replica, from 1
 * @param command the script that a proxy looks for, or "*"
 * @param amount the delay, or the step of the clock
 */
record PlannedFault(int number, FaultKind kind, int target, String command, long startMs, long lengthMs, long amount) {

    long endMs() {
        return startMs + lengthMs;
    }

    /** Returns when the victim is expected to be well again. */
    long wellMs() {
        return endMs() + kind.tailMs;
    }

    String victim() {
        return kind.victim.name().toLowerCase(Locale.ROOT) + "-" + target;
    }
}
