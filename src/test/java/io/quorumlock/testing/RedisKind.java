package io.quorumlock.testing;

import io.quorumlock.embedded.RedisBinary;
import io.quorumlock.embedded.TemporaryFolder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A way to run Redis, the most faithful one first. */
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
            return RedisBinary.onPath().isPresent();
        }

        @Override
        RedisServer start(String... options) {
            return ProcessServer.started(RedisBinary.onPath().orElseThrow(), options);
        }
    },
    EMBEDDED("no binary is carried for this system") {
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

    private final String missing;

    RedisKind(String missing) {
        this.missing = missing;
    }

    abstract boolean available();

    abstract RedisServer start(String... options);

    /** Finds an executable of this machine, whatever kind is chosen otherwise; carried where that is demanded or none is installed. */
    static Path executable() {
        boolean carried = "embedded".equals(System.getProperty(PROPERTY));
        return RedisBinary.onPath().filter(installed -> !carried).orElseGet(() -> Carried.EXECUTABLE);
    }

    /** Takes the kind that the system property demands, or the first that this machine has. */
    static RedisKind chosen() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
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

    /** Keeps one copy of the carried binary for all tests of this JVM, and its folder reachable as long. */
    private static final class Carried {
        private static final TemporaryFolder FOLDER = TemporaryFolder.create();
        private static final Path EXECUTABLE = RedisBinary.bundled(FOLDER.path());
    }
}
