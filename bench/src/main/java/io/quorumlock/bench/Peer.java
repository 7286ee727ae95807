// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** Another implementation of locks on the same servers. Its clients run in one process of their own, without HTTP. */
final class Peer implements Workload {
    private static final Path SOURCES = Path.of("bench/peers");
    private static final Path NODE_PACKAGES = Path.of("src/test/node");
    private static final Path NODE = Environment.WORK.resolve("node");
    private static final Path REDISSON = SOURCES.resolve("target");
    private static final String REDISSON_CLASS = "io.quorumlock.bench.peers.RedissonRedLockCycles";
    private static final String CURATOR_CLASS = "io.quorumlock.bench.peers.CuratorMutexCycles";
    private static final Path ETCD_LOCK = SOURCES.resolve("etcd-lock/build");
    private static final int INSTALL_SECONDS = 180;
    private static final int TIMEOUT_SECONDS = 30;

    private final ChildProcess process;

    private Peer(Environment environment, ChildProcess process) {
        this.process = process;
        environment.addPeer(process);
    }

    /** Starts clients of the npm package "redlock". */
    static Workload nodeRedlock(Environment environment, int clients) throws IOException {
        Files.createDirectories(NODE);
        for (Path file : List.of(
                NODE_PACKAGES.resolve("package.json"),
                NODE_PACKAGES.resolve("package-lock.json"),
                SOURCES.resolve("node-redlock.mjs"))) {
            Files.copy(file, NODE.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        if (Files.notExists(NODE.resolve("node_modules/redlock"))) {
            install("node-redlock", NODE, "npm ci --prefer-offline --ignore-scripts --no-audit --no-fund");
        }
        return start(environment, "node-redlock", NODE, clients, List.of("node", "node-redlock.mjs"));
    }

    /** Starts clients of Redisson's RedissonRedLock. */
    static Workload redisson(Environment environment, int clients) throws IOException {
        if (Files.notExists(REDISSON.resolve("lib/redisson-" + redissonVersion() + ".jar"))) {
            install("redisson", Path.of("."), "./mvnw -q -f bench/peers/pom.xml compile");
        }
        return start(environment, "redisson", Path.of("."), clients, java(REDISSON_CLASS));
    }

    /** Starts clients of Curator's InterProcessMutex. @param hot whether all want one lock */
    static Workload curator(Environment environment, int clients, boolean hot) throws IOException {
        if (Files.notExists(REDISSON.resolve("classes/" + CURATOR_CLASS.replace('.', '/') + ".class"))) {
            install("curator", Path.of("."), "./mvnw -q -f bench/peers/pom.xml compile");
        }
        return start(environment, "curator", clients, hot, Store.Kind.ZOOKEEPER, java(CURATOR_CLASS));
    }

    /** Starts clients of the lock of etcd's own client. @param hot whether all want one lock */
    static Workload etcdLock(Environment environment, int clients, boolean hot) throws IOException {
        Path program = Environment.WORK.resolve("etcd-lock").toAbsolutePath();
        if (Files.notExists(program)) {
            install("etcd-lock", Path.of("."), ETCD_LOCK + " " + Environment.WORK);
        }
        return start(environment, "etcd-lock", clients, hot, Store.Kind.ETCD, List.of(program.toString()));
    }

    private static List<String> java(String program) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(java.toString(), "-cp", REDISSON + "/classes:" + REDISSON + "/lib/*", program);
    }

    /** Returns the versions of the peers. */
    static String versions() throws IOException {
        Path packages = NODE_PACKAGES.resolve("package.json");
        return "redlock " + find(packages, "\"redlock\": \"([^\"]+)\"") + ", ioredis "
                + find(packages, "\"ioredis\": \"([^\"]+)\"") + ", redisson " + redissonVersion() + ", curator "
                + find(SOURCES.resolve("pom.xml"), "<artifactId>curator-recipes</artifactId>\\s*<version>([^<]+)<");
    }

    private static String redissonVersion() throws IOException {
        return find(SOURCES.resolve("pom.xml"), "<artifactId>redisson</artifactId>\\s*<version>([^<]+)<");
    }

    private static String find(Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    private static void install(String name, Path folder, String command) throws IOException {
        Path log = Environment.WORK.resolve("install-" + name + ".log");
        Process process = new ProcessBuilder(command.split(" "))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(name + " cannot be installed, see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Peer start(Environment environment, String name, Path folder, int clients, List<String> program)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.add(Integer.toString(clients));
        environment.masters().urls().forEach(url -> command.add(url.toString()));
        return start(environment, name, folder, command);
    }

    private static Peer start(
            Environment environment, String name, int clients, boolean hot, Store.Kind store, List<String> program)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(
                Integer.toString(clients),
                hot ? "hot" : "cycles",
                environment.store(store).servers()));
        return start(environment, name, Path.of("."), command);
    }

    private static Peer start(Environment environment, String name, Path folder, List<String> command)
            throws IOException {
        Path log = Environment.WORK.resolve("peer-" + name + ".log");
        return new Peer(environment, ChildProcess.commanded(log, folder, command));
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        send("run " + duration.toMillis());
        String answer = readAnswer(duration.toSeconds() + TIMEOUT_SECONDS);
        long[] numbers =
                Arrays.stream(answer.split(" ")).mapToLong(Long::parseLong).toArray();
        Histogram latencies = Sample.newHistogram();
        Arrays.stream(numbers, 2, numbers.length).forEach(latencies::recordValue);
        return Sample.of(latencies, numbers[0], Duration.ofNanos(numbers[1]));
    }

    private void send(String command) {
        try {
            process.commands().write(command + "\n");
            process.commands().flush();
        } catch (IOException e) {
            throw exited();
        }
    }

    private IllegalStateException exited() {
        return new IllegalStateException("the peer has exited, last line: " + process.lastLogLine());
    }

    private String readAnswer(long timeoutSeconds) throws InterruptedException {
        try {
            return CompletableFuture.supplyAsync(this::readLine).get(timeoutSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the peer did not answer within " + timeoutSeconds + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }

    private String readLine() {
        try {
            String line = process.answers().readLine();
            if (line == null) {
                throw exited();
            }
            return line;
        } catch (IOException e) {
            throw new IllegalStateException("the peer does not answer", e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
