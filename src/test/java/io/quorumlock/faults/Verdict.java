// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Violation;
import java.lang.reflect.RecordComponent;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The verdict on a history: guarantees were violated or kept, or there was too little evidence.
 *
 * @param outside violations outside the model
 * @param leftOut kinds of faults that were not planned. Without a C compiler, no clock is stepped
 * @param missing evidence that was too little
 */
record Verdict(
        Statistics statistics,
        List<Violation> violations,
        List<Violation> outside,
        Set<FaultKind> leftOut,
        List<String> missing) {
    private static final int MOST_SHOWN = 50;

    static Verdict of(RecordedRun run) {
        Statistics statistics = Statistics.of(run);
        RecordedFaults faults = new RecordedFaults(run.faults());
        Map<Boolean, List<Violation>> violations =
                run.violations().stream().collect(Collectors.partitioningBy(faults::excuse));
        Set<FaultKind> leftOut = EnumSet.allOf(FaultKind.class);
        run.header().ifPresent(header -> leftOut.removeAll(header.planned()));
        return new Verdict(
                statistics, violations.get(false), violations.get(true), leftOut, MissingEvidence.of(run, statistics));
    }

    boolean isGood() {
        return violations.isEmpty() && missing.isEmpty();
    }

    /** Returns the verdict as text. */
    String text() {
        StringBuilder text = new StringBuilder("guarantees: " + state() + "\n");
        missing.forEach(what -> text.append("too little: ").append(what).append('\n'));
        violations.stream().limit(MOST_SHOWN).forEach(what -> text.append(what).append('\n'));
        outside.stream()
                .limit(MOST_SHOWN)
                .forEach(what -> text.append("outside the model: ").append(what).append('\n'));
        leftOut.forEach(kind -> text.append("left out: ").append(kind).append('\n'));
        for (RecordComponent statistic : Statistics.class.getRecordComponents()) {
            text.append("%-16s %s%n".formatted(statistic.getName(), value(statistic)));
        }
        return text.toString();
    }

    private String state() {
        if (!violations.isEmpty()) {
            return "VIOLATED, " + violations.size() + " times";
        }
        return missing.isEmpty() ? "kept" : "INCONCLUSIVE";
    }

    private Object value(RecordComponent statistic) {
        try {
            return statistic.getAccessor().invoke(statistics);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
