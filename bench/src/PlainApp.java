package io.quorumlock.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Is a copy of the packaged service that mints no fencing tokens: what they cost is the difference. */
final class PlainApp {
    private static final Path APP = Path.of("target/quarkus-app");
    private static final Path COPY = Path.of("target/bench-plain-app");
    /** Is what to run. */
    static final Path JAR = COPY.resolve("quarkus-run.jar");

    /** Takes the lock and answers the number that was proposed. */
    private static final String ACQUIRE =
            """
            local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
            if set and not set.err then
              return tonumber(ARGV[3])
            end
            return {0, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[1])}
            """;

    private PlainApp() {}

    /** Makes the copy. */
    static void make() throws IOException {
        try (Stream<Path> files = Files.walk(APP)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = COPY.resolve(APP.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.write(target, Files.readAllBytes(file));
                }
            }
        }
        for (Path jar : ownJars()) {
            try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
                Files.writeString(zip.getPath("redis", "acquire.lua"), ACQUIRE);
            }
        }
    }

    private static List<Path> ownJars() throws IOException {
        try (Stream<Path> jars = Files.list(COPY.resolve("app"))) {
            return jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .map(Path::toAbsolutePath)
                    .toList();
        }
    }
}
