// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * The seed and length of a run, from the properties {@code faults.seed} and {@code faults.minutes}. By default the seed
 * is random, and the length two minutes.
 */
record RunOptions(long seed, Duration length) {
    private static final Duration SHORTEST_PROOF = Duration.ofMinutes(2);

    static RunOptions read() {
        String seed = text("faults.seed", Integer.toString(new Random().nextInt(1, 1_000_000)));
        String minutes = text("faults.minutes", "2");
        return new RunOptions(Long.parseLong(seed), Duration.ofMillis((long) (Double.parseDouble(minutes) * 60_000)));
    }

    Path folder() {
        return Path.of("target", "faults", Long.toString(seed));
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
        return "./mvnw verify -Pnightly -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=RandomFaultsIT"
                + " -Dfaults.minutes="
                + minutes() + " -Dfaults.seed=" + seed;
    }

    private static String text(String name, String otherwise) {
        String text = System.getProperty(name, "");
        return text.isBlank() ? otherwise : text;
    }
}
