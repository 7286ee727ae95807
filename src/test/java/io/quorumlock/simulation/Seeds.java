package io.quorumlock.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Reads the seeds that once failed: one a line, a remark after "#". */
final class Seeds {
    private static final String FILE = "/simulation/seeds.txt";

    private Seeds() {}

    static LongStream thatOnceFailed() {
        try (InputStream file = Seeds.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalArgumentException("there is no file " + FILE);
            }
            return read(new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8)).lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LongStream read(Stream<String> lines) {
        long[] seeds = lines.map(line -> line.replaceAll("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .mapToLong(line -> Options.number("a line of " + FILE, line))
                .toArray();
        return LongStream.of(seeds);
    }
}
