// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.LongStream;

/** The options of a run: system properties that begin with "simulation.". An invalid option aborts the run. */
final class Options {
    private static final String PREFIX = "simulation.";
    private static final String FIRST = PREFIX + "first";
    private static final String SEEDS = PREFIX + "seeds";
    private static final String SEED = PREFIX + "seed";
    private static final String MUTANT = PREFIX + "mutant";
    private static final Set<String> KNOWN = Set.of(FIRST, SEEDS, SEED, MUTANT);
    private static final long MOST_SEEDS = 10_000_000;

    private final Properties properties;

    Options(Properties properties) {
        this.properties = properties;
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
                throw new IllegalArgumentException("unknown property " + name + "; known are " + sorted(KNOWN));
            }
        }
    }

    /** Returns the seeds to run, given the usual number of them. */
    LongStream seeds(long usual) {
        long first = number(FIRST).orElse(1L);
        long many = number(SEEDS).orElse(usual);
        if (many < 1 || many > MOST_SEEDS) {
            throw new IllegalArgumentException(SEEDS + " must be from 1 to " + MOST_SEEDS + ", not " + many);
        }
        return LongStream.iterate(first, seed -> seed + 1).limit(many);
    }

    /** Returns the seed to show. */
    Optional<Long> seed() {
        return number(SEED);
    }

    /** Returns the mutant to show, if any. */
    Optional<Mutant> mutant() {
        return value(MUTANT).map(Options::mutant);
    }

    static long number(String name, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, not \"" + text + "\"", e);
        }
    }

    private static Mutant mutant(String name) {
        return Arrays.stream(Mutant.values())
                .filter(mutant -> mutant.name().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        MUTANT + " must be one of " + Arrays.toString(Mutant.values()) + ", not \"" + name + "\""));
    }

    private Optional<Long> number(String name) {
        return value(name).map(text -> number(name, text));
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(properties.getProperty(name));
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }
}
