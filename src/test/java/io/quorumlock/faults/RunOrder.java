// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The seed and length of a run, from the properties {@code faults.seed} and {@code faults.minutes}. By default the seed
 * is random, and the length two minutes.
 */
record RunOrder(long seed, Duration length) {
    private static final double LONGEST_MINUTES = 24 * 60;
    private static final Duration SHORTEST_PROOF = Duration.ofMinutes(2);

    static RunOrder read(UnaryOperator<String> properties, long newSeed) {
        String seed = text(properties, "faults.seed", Long.toString(newSeed));
        String minutes = text(properties, "faults.minutes", "2");
        if (!seed.matches("\\d{1,15}")) {
            throw new IllegalArgumentException("faults.seed must be a whole number from 0, not \"" + seed + "\"");
        }
        if (!minutes.matches("\\d{1,4}(\\.\\d+)?") || Double.parseDouble(minutes) > LONGEST_MINUTES) {
            throw new IllegalArgumentException("faults.minutes must be a number up to 1440, not \"" + minutes + "\"");
        }
        return new RunOrder(Long.parseLong(seed), Duration.ofMillis((long) (Double.parseDouble(minutes) * 60_000)));
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
        return "./mvnw verify -Pnightly -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=RandomFaultsIT -Dfaults.minutes="
                + minutes() + " -Dfaults.seed=" + seed;
    }

    private static String text(UnaryOperator<String> properties, String name, String otherwise) {
        String text = properties.apply(name);
        return text == null || text.isBlank() ? otherwise : text.strip();
    }
}
