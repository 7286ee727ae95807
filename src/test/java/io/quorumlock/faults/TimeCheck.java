// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.List;

/**
 * The check of L: every call is answered. Calls over a connection to a replica that was killed or suspended, and clients
 * that disconnected, are excluded.
 */
final class TimeCheck {
    /** The longest time of a call on a machine with enough CPU time. */
    static final Duration LONGEST = Setup.NODE_TIMEOUT.multipliedBy(2).plusMillis(500);

    /** A limit that only a hang exceeds. */
    private static final Duration BUSY_MACHINE = Duration.ofSeconds(5);

    private final History history;
    private final List<Violation> violations;

    TimeCheck(History history, List<Violation> violations) {
        this.history = history;
        this.violations = violations;
    }

    void check() {
        for (Call call : history.calls()) {
            boolean late = call.operation() != Operation.EVENT && call.returned() - call.invoked() > longest(call);
            boolean answered = call.isAnswered() || call.problem().equals(Call.VANISHED);
            if ((late || !answered) && !isHindered(call)) {
                violations.add(new Violation(Promise.L, call.returned(), "not answered in time: " + call));
            }
        }
    }

    private static long longest(Call call) {
        return LONGEST.plusMillis(call.waitMs()).plus(BUSY_MACHINE).toNanos();
    }

    private boolean isHindered(Call call) {
        return history.faults().stream()
                .filter(fault -> fault.kind().victim == FaultKind.Victim.REPLICA)
                .filter(fault -> fault.victim().equals("replica-" + call.replica()))
                .anyMatch(fault -> fault.from() < call.returned() && fault.until() > from(call, fault));
    }

    /**
     * Returns the start of the time in which a fault can affect the call. A connection broken by a kill is detected
     * only at the next call, which can be late.
     */
    private static long from(Call call, InflictedFault fault) {
        boolean broken = fault.kind() == FaultKind.KILL_REPLICA && !call.isAnswered();
        return broken ? call.connected() : call.invoked();
    }
}
