// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.testing.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A copy of the data folder of a server, made while it was stopped. */
record DataCopy(RedisServer server, Path folder, Map<Path, byte[]> files) {

    static DataCopy of(RedisServer server, Path folder) throws IOException {
        Map<Path, byte[]> files = new TreeMap<>();
        for (Path file : tree(folder)) {
            if (Files.isRegularFile(file)) {
                files.put(file, Files.readAllBytes(file));
            }
        }
        return new DataCopy(server, folder, files);
    }

    /** Kills the server and restarts it with the copied data. */
    void restore() {
        server.kill();
        try {
            for (Path file : tree(folder)) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                Files.createDirectories(file.getKey().getParent());
                Files.write(file.getKey(), file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start();
    }

    /** Lists a folder and its content, innermost first. */
    private static List<Path> tree(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
