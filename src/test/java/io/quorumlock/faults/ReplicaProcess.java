// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** A replica of the service on a fixed port that can be killed, restarted, suspended and resumed. */
final class ReplicaProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final int port = FreePorts.find(1).get(0);
    private final Map<String, String> environment;
    private final Path log;
    private ServiceProcess process;

    ReplicaProcess(Map<String, String> environment, Path log) {
        this.environment = environment;
        this.log = log;
        this.process = ServiceProcess.startOn(port, environment, "-Xmx256m", ServiceProcess.OPTIMIZING_COMPILER);
    }

    int port() {
        return port;
    }

    long pid() {
        return process.handle().pid();
    }

    void awaitReady() {
        Eventually.within(START, process::output, () -> process.client().isReady());
    }

    void kill() {
        process.handle().destroyForcibly();
        process.exitCode();
    }

    void startAgain() {
        saveLog();
        process.close();
        process = ServiceProcess.startOn(port, environment, "-Xmx256m", ServiceProcess.OPTIMIZING_COMPILER);
        awaitReady();
    }

    void suspend() {
        process.suspend();
    }

    void resume() {
        process.resume();
    }

    /** Counts the open files, if the operating system shows them. */
    long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
            return files.count();
        } catch (IOException notLinux) {
            return 0;
        }
    }

    /** Returns the sum of all series of a metric. */
    double metric(String name) {
        return process.client()
                .get("/q/metrics")
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private void saveLog() {
        try {
            Files.writeString(log, process.output(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        saveLog();
        process.close();
    }
}
