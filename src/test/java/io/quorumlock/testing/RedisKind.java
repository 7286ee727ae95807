// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.RedisBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A way to run Redis. The first one is the same on every machine. */
enum RedisKind {
    EMBEDDED("no bundled binary runs on this system") {
        @Override
        boolean available() {
            return Bundled.runs();
        }

        @Override
        RedisServer start(String... options) {
            return ProcessServer.started(Bundled.executable(), options);
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
    DOCKER("no Docker engine answers") {
        @Override
        boolean available() {
            return DockerEngine.answers();
        }

        @Override
        RedisServer start(String... options) {
            return ContainerServer.started(options);
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

    /** Returns an executable of this machine, even if containers are selected. */
    static Path executable() {
        return chosen() == EMBEDDED ? Bundled.executable() : installed().orElseGet(Bundled::executable);
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

    /** The bundled binary, unpacked once per JVM. */
    private static final class Bundled {
        private static final Optional<Path> EXECUTABLE = unpacked();

        static Path executable() {
            return EXECUTABLE.orElseThrow(() -> new IllegalStateException(EMBEDDED.missing));
        }

        static boolean runs() {
            return EXECUTABLE.isPresent();
        }

        /** Returns nothing on a system without a binary, or without the libraries that it needs. */
        private static Optional<Path> unpacked() {
            try {
                Path executable = RedisBinary.bundled(SharedFiles.newFolder());
                Process version = new ProcessBuilder(executable.toString(), "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                return version.onExit().join().exitValue() == 0 ? Optional.of(executable) : Optional.empty();
            } catch (IllegalStateException | IOException unsupported) {
                return Optional.empty();
            }
        }
    }
}
