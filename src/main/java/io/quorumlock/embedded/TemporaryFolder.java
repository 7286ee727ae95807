// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A folder that is deleted when this JVM ends, also by {@code kill -9}. */
public final class TemporaryFolder implements AutoCloseable {
    // A server that is being killed may still write its log, so the first deletion may fail.
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

    /** Creates an empty folder that only this user can access. */
    public static TemporaryFolder create() {
        Path path;
        try {
            path = Files.createTempDirectory("quorumlock-").toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder: " + e, e);
        }
        try {
            return new TemporaryFolder(path, Lifeline.start(SWEEPER, Optional.empty(), List.of(path.toString())));
        } catch (UncheckedIOException e) {
            path.toFile().delete(); // no sweeper runs that would delete it
            throw e;
        }
    }

    /** Returns the absolute path. */
    public Path path() {
        return path;
    }

    /** Deletes the folder and its content. */
    @Override
    public void close() {
        sweeper.close();
    }
}
