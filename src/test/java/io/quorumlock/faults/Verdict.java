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
 * @param lacks evidence that was too little
 */
record Verdict(
        Figures figures,
        List<Violation> violations,
        List<Violation> outside,
        Set<FaultKind> leftOut,
        List<String> lacks) {
    private static final int MOST_SHOWN = 50;

    static Verdict of(RecordedRun history) {
        Figures figures = Figures.of(history);
        RecordedFaults faults = new RecordedFaults(history.faults());
        Map<Boolean, List<Violation>> violations =
                history.violations().stream().collect(Collectors.partitioningBy(faults::excuse));
        Set<FaultKind> leftOut = EnumSet.allOf(FaultKind.class);
        history.header().ifPresent(header -> leftOut.removeAll(header.planned()));
        return new Verdict(
                figures, violations.get(false), violations.get(true), leftOut, Shortage.of(history, figures));
    }

    boolean isGood() {
        return violations.isEmpty() && lacks.isEmpty();
    }

    /** Returns the verdict as text. */
    String text() {
        StringBuilder text = new StringBuilder("guarantees: " + state() + "\n");
        lacks.forEach(what -> text.append("too little: ").append(what).append('\n'));
        violations.stream().limit(MOST_SHOWN).forEach(what -> text.append(what).append('\n'));
        outside.stream()
                .limit(MOST_SHOWN)
                .forEach(what -> text.append("outside the model: ").append(what).append('\n'));
        leftOut.forEach(kind -> text.append("left out: ").append(kind).append('\n'));
        for (RecordComponent figure : Figures.class.getRecordComponents()) {
            text.append("%-16s %s%n".formatted(figure.getName(), value(figure)));
        }
        return text.toString();
    }

    private String state() {
        if (!violations.isEmpty()) {
            return "VIOLATED, " + violations.size() + " times";
        }
        return lacks.isEmpty() ? "kept" : "INCONCLUSIVE";
    }

    private Object value(RecordComponent figure) {
        try {
            return figure.getAccessor().invoke(figures);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
