package io.quorumlock.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads which seeds are wanted. */
final class Seeds {
    private Seeds() {}

    /** Reads the seeds that once failed: one a line, a remark after "#". */
    static List<Long> thatOnceFailed() {
        try (InputStream file = Seeds.class.getResourceAsStream("/simulation/seeds.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line -> line.replaceAll("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .map(line -> number("a line of seeds.txt", line))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a property that must be a number, if it is there. */
    static Optional<Long> property(String name, UnaryOperator<String> properties) {
        return Optional.ofNullable(properties.apply(name)).map(text -> number(name, text));
    }

    static long number(String name, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, not \"" + text + "\"");
        }
    }
}
