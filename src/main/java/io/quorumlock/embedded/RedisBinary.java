package io.quorumlock.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** Finds a Redis server to run: the machine's own, or else the one that a library carries. */
public final class RedisBinary {
    private static final String NAME = "redis-server";

    private RedisBinary() {}

    /** Finds an executable, unpacked into {@code folder} if the machine has none. */
    public static Path find(Path folder) {
        return onPath().orElseGet(() -> carried(folder));
    }

    /** Finds {@code redis-server} on the PATH. */
    public static Optional<Path> onPath() {
        return Stream.ofNullable(System.getenv("PATH"))
                .flatMap(Pattern.compile(Pattern.quote(File.pathSeparator))::splitAsStream)
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, NAME).toAbsolutePath())
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** Unpacks the carried server into {@code folder}, which must be the caller's own: no cache to share or to plant in. */
    public static Path carried(Path folder) {
        Path executable = folder.resolve(NAME);
        try (InputStream binary = ExecutableProvider.class.getResourceAsStream(resource())) {
            if (binary == null) {
                throw unsupported();
            }
            Files.copy(binary, executable);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack a Redis server into " + folder + ": " + e, e);
        }
        if (!executable.toFile().setExecutable(true, true)) {
            throw new IllegalStateException("cannot make " + executable + " executable");
        }
        return executable;
    }

    private static String resource() {
        try {
            OsArchitecture here = OsArchitecture.detectOSandArchitecture();
            return Optional.ofNullable(
                            ExecutableProvider.newProvidedVersionsMap().get(here))
                    .orElseThrow(RedisBinary::unsupported);
        } catch (RuntimeException e) { // the library's own words for an unknown system
            throw unsupported();
        }
    }

    private static IllegalStateException unsupported() {
        return new IllegalStateException("no redis-server on the PATH, and none is carried for "
                + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
    }
}
