// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A replica of the packaged service, running as its own process. */
public final class ServiceProcess implements AutoCloseable {
    /** The service of this build. */
    public static final Path JAR = Path.of("target/quarkus-app/quarkus-run.jar");

    private static final Duration START = Duration.ofSeconds(60);
    /** Most processes live for seconds, in which the optimizing compiler uses more time than it saves. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";
    /** The argument for processes under load for minutes, as in production. */
    public static final String OPTIMIZING_COMPILER = "-XX:TieredStopAtLevel=4";

    /** The argument for masters that answer late, for tests with long TTLs that check each answer. */
    public static final String SLOW_MASTERS = "-Dquorumlock.node.timeout=2s";

    private final int port;
    private final TemporaryFolder folder = TemporaryFolder.create();
    private final Path log = folder.path().resolve("service.log");
    private final Process process;

    private ServiceProcess(Path jar, int port, Map<String, String> environment, String... arguments) {
        this.port = port;
        try {
            List<String> command = JavaCommand.in(folder.path(), QUICK_COMPILER, "-Dquarkus.http.port=" + port);
            if (jar.equals(JAR) && Stream.of(arguments).noneMatch(one -> one.startsWith(StartUpArchive.TRAINING))) {
                command.add(StartUpArchive.argument());
            }
            command.addAll(List.of(arguments));
            command.addAll(List.of("-jar", jar.toString()));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            if (!environment.containsKey("QUORUMLOCK_ENGINE") && !environment.containsKey("QUORUMLOCK_CLUSTER_DATA")) {
                // Masters of a busy machine answer late. The shortest TTL of the tests allows no more.
                builder.environment().put("QUORUMLOCK_NODE_TIMEOUT", "490ms");
                // Masters of most tests have no persistence. A new fleet of them would be in quarantine for a minute.
                builder.environment().put("QUORUMLOCK_RESTART_GUARD_ENABLED", "false");
            }
            builder.environment().put("QUORUMLOCK_SECURITY_OPEN", "true");
            builder.environment().putAll(environment);
            process = builder.redirectOutput(log.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a replica on these masters and returns when it is ready. */
    public static ServiceProcess on(List<RedisServer> masters, String... arguments) {
        return startReady(Map.of("QUORUMLOCK_NODES", nodes(masters)), arguments);
    }

    /** Returns the setting for these masters. */
    public static String nodes(List<RedisServer> masters) {
        return masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(","));
    }

    /** Returns the environment of a replica with the restart guard, on masters some of which persist every write. */
    public static Map<String, String> guarded(String nodes, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("QUORUMLOCK_NODES", nodes);
        environment.put("QUORUMLOCK_RESTART_GUARD_ENABLED", "true");
        environment.put("QUORUMLOCK_MASTERS_PERSIST", "true");
        return environment;
    }

    public static ServiceProcess startReady(Map<String, String> environment, String... arguments) {
        return startReady(JAR, environment, arguments);
    }

    /** Starts a replica of another build and returns when it is ready. */
    public static ServiceProcess startReady(Path jar, Map<String, String> environment, String... arguments) {
        return new ServiceProcess(jar, FreePorts.find(1).get(0), environment, arguments).ready();
    }

    /** Starts a replica on this port, as after a crash, and returns when it is ready. */
    public static ServiceProcess startReadyOn(int port, Map<String, String> environment, String... arguments) {
        return startOn(port, environment, arguments).ready();
    }

    private ServiceProcess ready() {
        try {
            Eventually.within(START, this::output, this::isReady);
            return this;
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    /** Starts a replica and returns at once. */
    public static ServiceProcess start(Map<String, String> environment, String... arguments) {
        return startOn(FreePorts.find(1).get(0), environment, arguments);
    }

    /** Starts a replica on this port, as after a crash, and returns at once. */
    public static ServiceProcess startOn(int port, Map<String, String> environment, String... arguments) {
        return new ServiceProcess(JAR, port, environment, arguments);
    }

    /** Returns the command that runs the service of this build with an argument of its own, such as {@code --check}. */
    public static String[] command(String argument) {
        return JavaCommand.of(QUICK_COMPILER, StartUpArchive.argument(), "-jar", JAR.toString(), argument)
                .toArray(String[]::new);
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new AssertionError("the service ended: " + output());
        }
        return accepts() && client().isReady();
    }

    /** Starting processes are asked every few milliseconds, and a failed attempt of the HTTP client costs much more. */
    private boolean accepts() {
        try (Socket connected = new Socket("127.0.0.1", port)) {
            return connected.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    public LockClient client() {
        return new LockClient(uri());
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGSTOP. */
    public void suspend() {
        Signal.STOP.send(process.pid());
    }

    /** Sends SIGCONT. */
    public void resume() {
        Signal.CONT.send(process.pid());
    }

    /** Waits until the process has ended and returns its exit code. */
    public int exitCode() {
        return exitCode(START);
    }

    /** Returns the exit code of a process that ends within a time, to which the delay of a busy machine is added. */
    public int exitCode(Duration most) {
        Eventually.within(most, () -> "still running: " + output(), () -> !process.isAlive());
        return process.exitValue();
    }

    /** Stops the service and returns its whole log. Log lines can be written after the answer they belong to. */
    public String logToTheEnd() {
        terminate();
        exitCode();
        return output();
    }

    /** Kills the service and its embedded masters, as SIGKILL does, and deletes their files. */
    @Override
    public void close() {
        List<ProcessHandle> masters = process.descendants().toList();
        process.destroyForcibly();
        exitCode();
        masters.forEach(ProcessHandle::destroyForcibly);
        masters.forEach(master -> master.onExit().join());
        folder.close();
    }
}
