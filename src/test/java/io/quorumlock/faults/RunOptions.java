// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * The seed and length of a run, from the properties {@code faults.seed} and {@code faults.minutes}. By default the seed
 * is random, and the length two minutes. With {@code faults.losses=false}, no server loses locks.
 *
 * @param test the class, or the class and the method
 */
record RunOptions(long seed, Duration length, boolean losses, String test) {
    private static final Duration SHORTEST_PROOF = Duration.ofMinutes(2);

    static RunOptions read(String test) {
        String seed = text("faults.seed", Integer.toString(new Random().nextInt(1, 1_000_000)));
        String minutes = text("faults.minutes", "2");
        return new RunOptions(
                Long.parseLong(seed),
                Duration.ofMillis((long) (Double.parseDouble(minutes) * 60_000)),
                Boolean.parseBoolean(text("faults.losses", "true")),
                test);
    }

    Path folder() {
        String method = test.contains("#") ? test.substring(test.indexOf('#') + 1) + "-" : "";
        return Path.of("target", "faults", method + seed + (losses ? "" : "-without-losses"));
    }

    /** Returns the plan of faults of these servers. */
    FaultPlan plan(Servers servers) {
        FaultPlan plan = servers.plan(seed, length);
        return losses ? plan : plan.withoutLosses();
    }

    double minutes() {
        return length.toMillis() / 60_000.0;
    }

    /** Returns whether the run is long enough to require evidence of everything. */
    boolean isLongEnoughForEvidence() {
        return length.compareTo(SHORTEST_PROOF) >= 0;
    }

    /** Returns the command that repeats this run and runs no other test. */
    String command() {
        return "./mvnw verify -Pnightly -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=" + test
                + " -Dfaults.minutes=" + minutes() + " -Dfaults.seed=" + seed
                + (losses ? "" : " -Dfaults.losses=false");
    }

    private static String text(String name, String otherwise) {
        String text = System.getProperty(name, "");
        return text.isBlank() ? otherwise : text;
    }
}
