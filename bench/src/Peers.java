package io.quorumlock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Brings in what the service is compared with; what cannot be had is left out. */
final class Peers {
    private static final Path SOURCES = Path.of("bench/peers");
    private static final Path NODE_PACKAGES = Path.of("src/test/node");
    private static final Path NODE = Path.of("target/bench-node");
    private static final Path REDISSON = Path.of("target/bench-redisson");
    private static final int INSTALL_SECONDS = 180;

    private Peers() {}

    /** Starts clients of the npm package "redlock". */
    static Part nodeRedlock(Setting setting, int clients) throws IOException {
        Files.createDirectories(NODE);
        for (Path file : List.of(
                NODE_PACKAGES.resolve("package.json"),
                NODE_PACKAGES.resolve("package-lock.json"),
                SOURCES.resolve("node-redlock.mjs"))) {
            Files.copy(file, NODE.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.notExists(NODE.resolve("node_modules/redlock"))) {
            install(
                    "node-redlock",
                    NODE,
                    "npm",
                    "ci",
                    "--prefer-offline",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund");
        }
        return Peer.start(setting, "node-redlock", NODE, clients, List.of("node", "node-redlock.mjs"));
    }

    /** Starts clients of Redisson's RedissonRedLock. */
    static Part redisson(Setting setting, int clients) throws IOException {
        if (Files.notExists(REDISSON.resolve("redisson-" + redissonVersion() + ".jar"))) {
            Path pom = SOURCES.resolve("pom.xml");
            String folder = "-DoutputDirectory=" + REDISSON.toAbsolutePath();
            install(
                    "redisson",
                    Path.of("."),
                    "./mvnw",
                    "-q",
                    "-f",
                    pom.toString(),
                    "dependency:copy-dependencies",
                    folder);
        }
        String program = SOURCES.resolve("RedissonRedLockCycles.java").toString();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return Peer.start(
                setting, "redisson", Path.of("."), clients, List.of(java.toString(), "-cp", REDISSON + "/*", program));
    }

    /** Tells which versions are asked for. */
    static String versions() throws IOException {
        return "redlock " + found(NODE_PACKAGES.resolve("package.json"), "\"redlock\": \"([^\"]+)\"") + ", ioredis "
                + found(NODE_PACKAGES.resolve("package.json"), "\"ioredis\": \"([^\"]+)\"") + ", redisson "
                + redissonVersion();
    }

    private static String redissonVersion() throws IOException {
        return found(SOURCES.resolve("pom.xml"), "<artifactId>redisson</artifactId>\\s*<version>([^<]+)<");
    }

    private static String found(Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    private static void install(String name, Path folder, String... command) throws IOException {
        Path log = Path.of("target/bench-" + name + ".log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(name + " cannot be fetched, see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }
}
