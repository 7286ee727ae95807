// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The check of L: every call is answered within two node timeouts, 500 ms and its wait. Calls over a connection to a
 * replica that was killed or suspended, and clients that disconnected, are excluded. Stalls of the client process and
 * of the replica are subtracted.
 */
final class TimeCheck {
    static final Duration LONGEST = Setup.NODE_TIMEOUT.multipliedBy(2).plusMillis(500);

    /**
     * The additional time of a forced release. It reads and deletes up to three times, each time with replies of all
     * masters.
     */
    private static final Duration FORCED_RELEASE = Setup.NODE_TIMEOUT.multipliedBy(4);

    private final History history;
    private final List<Violation> violations;
    private final Map<String, List<Stall>> stalls = new HashMap<>();

    TimeCheck(History history, List<Violation> violations) {
        this.history = history;
        this.violations = violations;
        history.stalls().forEach(stall -> stalls.computeIfAbsent(stall.process(), any -> new ArrayList<>())
                .add(stall));
    }

    void check() {
        for (Call call : history.calls()) {
            boolean late = call.operation() != Operation.EVENT && took(call) > longest(call);
            boolean answered = call.isAnswered() || call.problem().equals(Call.VANISHED);
            if ((late || !answered) && !isHindered(call)) {
                violations.add(new Violation(Promise.L, call.returned(), "not answered in time: " + call));
            }
        }
    }

    private long took(Call call) {
        long took = call.returned() - call.invoked();
        if (took <= longest(call)) {
            return took;
        }
        List<Stall> both = Stream.of(call.process(), "replica-" + call.replica())
                .flatMap(process -> stalls.getOrDefault(process, List.of()).stream())
                .toList();
        return took - Stall.sum(both, call.invoked(), call.returned());
    }

    private static long longest(Call call) {
        Duration looks = call.operation() == Operation.BREAK ? FORCED_RELEASE : Duration.ZERO;
        return LONGEST.plusMillis(call.waitMs()).plus(looks).toNanos();
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
