// SPDX-License-Identifier: Apache-2.0
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

/** The Redis executable: the installed one, else the one from the embedding library. */
public final class RedisBinary {
    private static final String NAME = "redis-server";

    private RedisBinary() {}

    /** Returns an executable; unpacks it into {@code folder} if none is installed. */
    public static Path find(Path folder) {
        return onPath().orElseGet(() -> bundled(folder));
    }

    /** Returns {@code redis-server} from the PATH. */
    public static Optional<Path> onPath() {
        return Stream.ofNullable(System.getenv("PATH"))
                .flatMap(Pattern.compile(Pattern.quote(File.pathSeparator))::splitAsStream)
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, NAME).toAbsolutePath())
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** Unpacks the bundled server into a private folder, where no other user can replace it. */
    public static Path bundled(Path folder) {
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
        } catch (RuntimeException e) { // thrown by the library on unknown systems
            throw unsupported();
        }
    }

    private static IllegalStateException unsupported() {
        return new IllegalStateException("no redis-server on the PATH, and none is bundled for "
                + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
    }
}
