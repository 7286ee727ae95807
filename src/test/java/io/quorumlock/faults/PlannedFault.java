// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Locale;

/**
 * A fault of a plan, in milliseconds from the start of the load.
 *
 * @param target number of the master or replica, from 1
 * @param command script that the proxy affects, or "*"
 * @param amount delay, or step of the clock
 */
record PlannedFault(int number, FaultKind kind, int target, String command, long startMs, long lengthMs, long amount) {

    long endMs() {
        return startMs + lengthMs;
    }

    /** Returns when the victim is expected to have recovered. */
    long recoveredMs() {
        return endMs() + kind.recoveryMs;
    }

    /** Returns a fault that affects all commands, also those of other clients than the service. */
    PlannedFault ofAllCommands() {
        return new PlannedFault(number, kind, target, "*", startMs, lengthMs, amount);
    }

    String victim() {
        return kind.victim.name().toLowerCase(Locale.ROOT) + "-" + target;
    }
}
