package io.quorumlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Holds files that vanish with this JVM, also when it is killed. */
public final class TemporaryFolder implements AutoCloseable {
    // A server that is about to be killed may still write its log, so one sweep need not be enough.
    private static final String SWEEPER =
            """
            trap '' HUP INT TERM
            while read -r line; do :; done
            tries=0
            until rm -rf "$1" || [ $tries -ge 50 ]; do tries=$((tries + 1)); sleep 0.1; done
            """;

    private final Path path;
    private final Lifeline sweeper;

    private TemporaryFolder(Path path, Lifeline sweeper) {
        this.path = path;
        this.sweeper = sweeper;
    }

    /** Makes an empty folder that only this user may enter. */
    public static TemporaryFolder create() {
        Path path;
        try {
            path = Files.createTempDirectory("quorumlock-").toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a temporary folder: " + e, e);
        }
        try {
            return new TemporaryFolder(path, Lifeline.tie(SWEEPER, Optional.empty(), List.of(path.toString())));
        } catch (UncheckedIOException e) {
            path.toFile().delete(); // without a shell nobody else would
            throw e;
        }
    }

    /** Names the folder, absolutely. */
    public Path path() {
        return path;
    }

    /** Removes the folder with all that is in it. */
    @Override
    public void close() {
        sweeper.close();
    }
}
