// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** Counts of what happened in one or many runs: measures, uses of features, and faults. */
final class Coverage {
    private final Map<Enum<?>, Long> counts = new TreeMap<>(Comparator.<Enum<?>, String>comparing(
                    kind -> kind.getDeclaringClass().getName())
            .thenComparing(Enum::ordinal));

    /** A count that belongs to no enum of its own. */
    enum Measure {
        CALLS,
        GRANTS,
        /** Calls refused because of another holder. */
        CONTENDED,
        /** Lost updates of a resource that ignores fencing tokens. */
        LOST_WITHOUT_FENCE,
        /** A replica detected a clock step of a master. */
        STEP_DETECTED,
        /** A replica detected the restart of a master. */
        RESTART_DETECTED,
        /** A master was admitted because all were new. */
        FOUNDED,
        /** A master got a lease again that it had missed or lost. */
        RESTORED,
        /** A master had the data of another one when it became a master again. */
        COPIED
    }

    void count(Enum<?> kind) {
        add(kind, 1);
    }

    void add(Enum<?> kind, long times) {
        counts.merge(kind, times, Long::sum);
    }

    void addAll(Coverage other) {
        other.counts.forEach(this::add);
    }

    long of(Enum<?> kind) {
        return counts.getOrDefault(kind, 0L);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
