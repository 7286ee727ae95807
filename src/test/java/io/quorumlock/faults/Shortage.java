// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The evidence that was too little for a conclusion. */
final class Shortage {
    private static final double MOST_STALLED = 0.3;

    private final RecordedRun history;
    private final Figures figures;
    private final List<String> lacks = new ArrayList<>();

    private Shortage(RecordedRun history, Figures figures) {
        this.history = history;
        this.figures = figures;
    }

    static List<String> of(RecordedRun history, Figures figures) {
        Shortage shortage = new Shortage(history, figures);
        history.header().ifPresentOrElse(shortage::compare, () -> shortage.addIf(true, "the header of the run"));
        return shortage.lacks;
    }

    private void compare(RunHeader header) {
        addIf(figures.grants() < header.grantsWanted(), "grants: " + figures.grants() + " of " + header.grantsWanted());
        addIf(
                figures.contended() * 10 <= figures.acquires(),
                "contention: " + figures.contended() + " of " + figures.acquires() + " acquires");
        addIf(
                figures.secondsStalled() > header.minutes() * 60 * MOST_STALLED,
                "time on the machine: a process stalled for " + figures.secondsStalled() + " s");
        addIf(figures.vanished() == 0, "disconnected clients");
        figures.kinds()
                .forEach((kind, seen) ->
                        addIf(seen < header.eachWanted(), kind + ": " + seen + " of " + header.eachWanted()));
        addIf(history.observations().isEmpty(), "observations after the load");
        long processes = history.calls().stream().map(Call::client).distinct().count();
        addIf(processes < header.processes(), "processes with calls: " + processes + " of " + header.processes());
        compareFaults(header.planned());
    }

    private void compareFaults(Set<FaultKind> planned) {
        addIf(planned.isEmpty(), "faults");
        Set<FaultKind> unproven = EnumSet.noneOf(FaultKind.class);
        unproven.addAll(planned);
        history.faults().stream().filter(FaultRecord::hasEvidence).forEach(fault -> unproven.remove(fault.kind()));
        unproven.forEach(kind -> addIf(true, "evidence of " + kind));
        long stepped = history.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK && fault.hasEvidence())
                .map(FaultRecord::victim)
                .distinct()
                .count();
        boolean several = planned.contains(FaultKind.STEP_CLOCK) && stepped == 1;
        addIf(several, "stepped clocks: only one");
    }

    private void addIf(boolean lacking, String what) {
        if (lacking) {
            lacks.add(what);
        }
    }
}
