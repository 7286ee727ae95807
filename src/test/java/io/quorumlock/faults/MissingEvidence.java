// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The evidence that was too little for a conclusion. */
final class MissingEvidence {
    private static final double MOST_STALLED = 0.3;

    private final RecordedRun run;
    private final Statistics statistics;
    private final List<String> missing = new ArrayList<>();

    private MissingEvidence(RecordedRun run, Statistics statistics) {
        this.run = run;
        this.statistics = statistics;
    }

    static List<String> of(RecordedRun run, Statistics statistics) {
        MissingEvidence check = new MissingEvidence(run, statistics);
        run.header().ifPresentOrElse(check::compare, () -> check.addIf(true, "the header of the run"));
        return check.missing;
    }

    private void compare(RunHeader header) {
        addIf(
                statistics.grants() < header.grantsWanted(),
                "grants: " + statistics.grants() + " of " + header.grantsWanted());
        addIf(
                statistics.contended() * 10 <= statistics.acquires(),
                "contention: " + statistics.contended() + " of " + statistics.acquires() + " acquires");
        addIf(
                statistics.secondsStalled() > header.minutes() * 60 * MOST_STALLED,
                "time on the machine: a process stalled for " + statistics.secondsStalled() + " s");
        addIf(statistics.disconnected() == 0, "disconnected clients");
        statistics
                .kinds()
                .forEach((kind, seen) ->
                        addIf(seen < header.eachWanted(), kind + ": " + seen + " of " + header.eachWanted()));
        addIf(run.observations().isEmpty(), "observations after the load");
        long processes = run.calls().stream().map(Call::client).distinct().count();
        addIf(processes < header.processes(), "processes with calls: " + processes + " of " + header.processes());
        compareFaults(header.planned());
    }

    private void compareFaults(Set<FaultKind> planned) {
        addIf(planned.isEmpty(), "faults");
        Set<FaultKind> unproven = EnumSet.noneOf(FaultKind.class);
        unproven.addAll(planned);
        run.faults().stream().filter(FaultRecord::hasEvidence).forEach(fault -> unproven.remove(fault.kind()));
        unproven.forEach(kind -> addIf(true, "evidence of " + kind));
        long stepped = run.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK && fault.hasEvidence())
                .map(FaultRecord::victim)
                .distinct()
                .count();
        boolean several = planned.contains(FaultKind.STEP_CLOCK) && stepped == 1;
        addIf(several, "stepped clocks: only one");
    }

    private void addIf(boolean lacking, String what) {
        if (lacking) {
            missing.add(what);
        }
    }
}
