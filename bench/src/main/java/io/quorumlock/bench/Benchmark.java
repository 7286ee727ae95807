// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The entry point: measures all selected parts in rounds and writes the report. */
final class Benchmark {
    private static final long STARTED = System.nanoTime();

    private Benchmark() {}

    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.SEVERE); // some parts stop masters on purpose
        try {
            run(Options.parse(arguments));
            System.exit(0); // libraries leave threads behind
        } catch (IllegalArgumentException | IllegalStateException | IOException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Options options) throws IOException {
        List<Part> parts = Parts.of(options);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(
                    "no part has a name that contains " + String.join(" or ", options.only()));
        }
        log("starting five masters");
        try (Environment environment = new Environment(options)) {
            Map<String, Object> description = environment.describe(options);
            measure(parts, environment, options);
            Report report = new Report(description, parts, Ratio.of(options));
            report.print();
            System.out.println("raw results and chart: " + report.write());
        }
    }

    /**
     * Measures the parts by turns in each round, so that a disturbance affects all of them, and every second round backwards,
     * because a part may slow the next one down.
     */
    private static void measure(List<Part> parts, Environment environment, Options options) {
        for (Part part : parts) {
            log("warm-up: %s", part.name());
            part.warmUp(environment, options.warmUp());
            part.failure().ifPresent(reason -> log("  left out: %s", reason));
        }
        List<Part> turns = new ArrayList<>(parts);
        for (int round = 1; round <= options.rounds(); round++, Collections.reverse(turns)) {
            for (Part part : turns) {
                if (part.failure().isEmpty()) {
                    part.measure(environment, options.round());
                    log("round %d of %d: %s: %s", round, options.rounds(), part.name(), part.latest());
                }
            }
        }
        parts.forEach(Part::close);
    }

    /** Writes a progress line to the error stream; standard output is for the results. */
    static void log(String format, Object... values) {
        long seconds = (System.nanoTime() - STARTED) / 1_000_000_000;
        System.err.printf(Locale.ROOT, "%02d:%02d  ", seconds / 60, seconds % 60);
        System.err.printf(Locale.ROOT, format + "%n", values);
    }
}
