package io.quorumlock.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Reads stored seeds: one a line, a remark after "#". */
final class Seeds {
    private static final String FAILED = "/simulation/seeds.txt";
    private static final String MUTANTS = "/simulation/mutants.txt";

    private Seeds() {}

    /** Returns the seeds that once broke a promise. */
    static LongStream thatOnceFailed() {
        return read(lines(FAILED).stream());
    }

    /** Returns the seeds that detected a mutant when the file was written. */
    static LongStream thatCaught(String mutant) {
        String prefix = mutant + " ";
        return read(lines(MUTANTS).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length())));
    }

    static LongStream read(Stream<String> lines) {
        long[] seeds = lines.map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .mapToLong(line -> Options.number("a line of " + FAILED, line))
                .toArray();
        return LongStream.of(seeds);
    }

    private static List<String> lines(String name) {
        try (InputStream file = Seeds.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalArgumentException("there is no file " + name);
            }
            return new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
