// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.RedisBinary;
import io.quorumlock.embedded.TemporaryFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A way to run Redis. The most realistic one comes first. */
enum RedisKind {
    DOCKER("no Docker engine answers") {
        @Override
        boolean available() {
            return DockerEngine.answers();
        }

        @Override
        RedisServer start(String... options) {
            return ContainerServer.started(options);
        }
    },
    BINARY("no redis-server on the PATH") {
        @Override
        boolean available() {
            return installed().isPresent();
        }

        @Override
        RedisServer start(String... options) {
            return ProcessServer.started(installed().orElseThrow(), options);
        }
    },
    EMBEDDED("no bundled binary for this system") {
        @Override
        boolean available() {
            return true;
        }

        @Override
        RedisServer start(String... options) {
            return ProcessServer.started(Carried.EXECUTABLE, options);
        }
    };

    private static final String PROPERTY = "test.redis";
    /** Names the executable of another version or product, for example of Valkey. */
    private static final String EXECUTABLE = "test.redis.binary";

    private final String missing;

    RedisKind(String missing) {
        this.missing = missing;
    }

    abstract boolean available();

    abstract RedisServer start(String... options);

    /**
     * Returns an executable of this machine, even if containers are selected. Prefers the installed one unless
     * {@code embedded} is selected.
     */
    static Path executable() {
        boolean carried = "embedded".equals(System.getProperty(PROPERTY));
        return installed().filter(installed -> !carried).orElseGet(() -> Carried.EXECUTABLE);
    }

    /** Returns the executable that the system property names, or else {@code redis-server} from the PATH. */
    private static Optional<Path> installed() {
        return named().or(RedisBinary::onPath);
    }

    private static Optional<Path> named() {
        Optional<Path> named = Optional.ofNullable(System.getProperty(EXECUTABLE))
                .filter(name -> !name.isBlank())
                .map(name -> Path.of(name).toAbsolutePath());
        named.filter(file -> !Files.isExecutable(file)).ifPresent(file -> {
            throw new IllegalStateException(EXECUTABLE + "=" + file + ": no executable file");
        });
        return named;
    }

    /** Returns the kind that the system properties select, or else the first available one. */
    static RedisKind chosen() {
        String kind = System.getProperty(PROPERTY, named().isPresent() ? "binary" : "");
        return Optional.of(kind)
                .filter(name -> !name.isBlank())
                .map(RedisKind::forced)
                .orElseGet(() -> Stream.of(values())
                        .filter(RedisKind::available)
                        .findFirst()
                        .orElseThrow());
    }

    static RedisKind forced(String name) {
        RedisKind kind = Stream.of(values())
                .filter(candidate -> candidate.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        PROPERTY + "=" + name + ": only docker, binary and embedded are allowed"));
        if (!kind.available()) {
            throw new IllegalStateException(PROPERTY + "=" + name + ": " + kind.missing);
        }
        return kind;
    }

    /** The bundled binary, extracted once per JVM. The field keeps its folder from being deleted. */
    private static final class Carried {
        private static final TemporaryFolder FOLDER = TemporaryFolder.create();
        private static final Path EXECUTABLE = RedisBinary.bundled(FOLDER.path());
    }
}
