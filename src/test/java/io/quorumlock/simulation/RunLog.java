// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The readable log of a run. Lines are built only if wanted. */
final class RunLog {
    private final EventQueue events;
    private final boolean wanted;
    private final List<String> lines = new ArrayList<>();

    RunLog(EventQueue events, boolean wanted) {
        this.events = events;
        this.wanted = wanted;
    }

    boolean isWanted() {
        return wanted;
    }

    void add(Supplier<String> line) {
        if (wanted) {
            lines.add(time(events.now()) + "  " + line.get());
        }
    }

    List<String> lines() {
        return lines;
    }

    static String time(long nanos) {
        return String.format(Locale.ROOT, "%11.6f", nanos / 1e9);
    }
}
