// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted when it is closed. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /** Creates an empty folder that only this user can access. */
    public static TemporaryFolder create() {
        try {
            return new TemporaryFolder(Files.createTempDirectory("quorumlock-").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder: " + e, e);
        }
    }

    /** Returns the absolute path. */
    public Path path() {
        return path;
    }

    /** Deletes the folder and its content. Does nothing if it is deleted already. */
    @Override
    public void close() {
        try {
            for (Path any : deepestFirst()) {
                Files.deleteIfExists(any);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path + ": " + e, e);
        }
    }

    private List<Path> deepestFirst() throws IOException {
        if (Files.notExists(path)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(path)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
