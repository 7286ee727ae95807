package io.quorumlock.faults;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Finds what a run had too little of to prove anything. */
final class Shortage {
    private static final double MOST_STALLED = 0.3;

    private final History history;
    private final Figures figures;
    private final List<String> lacks = new ArrayList<>();

    private Shortage(History history, Figures figures) {
        this.history = history;
        this.figures = figures;
    }

    static List<String> of(History history, Figures figures) {
        Shortage shortage = new Shortage(history, figures);
        history.header().ifPresentOrElse(shortage::compare, () -> shortage.lackIf(true, "the header of the run"));
        return shortage.lacks;
    }

    private void compare(RunHeader header) {
        lackIf(
                figures.grants() < header.grantsWanted(),
                "grants: " + figures.grants() + " of " + header.grantsWanted());
        lackIf(
                figures.contended() * 10 <= figures.acquires(),
                "contention: " + figures.contended() + " of " + figures.acquires() + " acquires");
        lackIf(
                figures.secondsStalled() > header.minutes() * 60 * MOST_STALLED,
                "time to run on this machine: a process stalled for " + figures.secondsStalled() + " s");
        lackIf(figures.vanished() == 0, "clients that vanish");
        figures.kinds()
                .forEach((kind, seen) ->
                        lackIf(seen < header.eachWanted(), kind + ": " + seen + " of " + header.eachWanted()));
        lackIf(history.observations().isEmpty(), "what was seen after the load");
        long processes = history.calls().stream().map(Call::process).distinct().count();
        lackIf(
                processes < header.processes(),
                "the calls of all processes: " + processes + " of " + header.processes());
        compareFaults(header.planned());
    }

    private void compareFaults(Set<FaultKind> planned) {
        lackIf(planned.isEmpty(), "faults");
        Set<FaultKind> unproven = EnumSet.noneOf(FaultKind.class);
        unproven.addAll(planned);
        history.faults().stream().filter(InflictedFault::proven).forEach(fault -> unproven.remove(fault.kind()));
        unproven.forEach(kind -> lackIf(true, "evidence of " + kind));
        long stepped = history.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK && fault.proven())
                .map(InflictedFault::victim)
                .distinct()
                .count();
        boolean several = planned.contains(FaultKind.STEP_CLOCK) && stepped == 1;
        lackIf(several, "clocks that were stepped: only one");
    }

    private void lackIf(boolean lacking, String what) {
        if (lacking) {
            lacks.add(what);
        }
    }
}
