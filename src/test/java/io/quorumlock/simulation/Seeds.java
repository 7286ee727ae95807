// SPDX-License-Identifier: Apache-2.0
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

/** Stored seeds. One seed per line, a comment after "#". */
final class Seeds {
    private static final String FAILED = "/simulation/seeds.txt";
    private static final String MUTANTS = "/simulation/mutants.txt";

    private Seeds() {}

    /** Returns the seeds that once violated a guarantee. */
    static LongStream regressions() {
        return read(lines(FAILED).stream());
    }

    /** Returns the seeds that detected a mutant when the file was written. */
    static LongStream detecting(String mutant) {
        String prefix = mutant + " ";
        return read(lines(MUTANTS).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length())));
    }

    private static LongStream read(Stream<String> lines) {
        long[] seeds = lines.map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
        return LongStream.of(seeds);
    }

    private static List<String> lines(String name) {
        try (InputStream file = Seeds.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalArgumentException("missing file " + name);
            }
            return new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
