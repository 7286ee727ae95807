package io.quorumlock.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Is what run is wanted: the properties {@code faults.minutes} and {@code faults.seed}, a new seed without one. */
record RunOrder(long seed, Duration length) {
    private static final double LONGEST_MINUTES = 24 * 60;

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

    /** Is the one command that runs the same again, and nothing else. */
    String command() {
        return "./mvnw verify -Pnightly -Dfaults.minutes=" + minutes() + " -Dfaults.seed=" + seed;
    }

    private static String text(UnaryOperator<String> properties, String name, String otherwise) {
        String text = properties.apply(name);
        return text == null || text.isBlank() ? otherwise : text.strip();
    }
}
