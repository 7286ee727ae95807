// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of clients, controlled by its parent. */
final class LoadProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 30;

    private final Process process;
    private final Path history;

    /** The ports of the services that clients use. */
    record Targets(int register, List<Integer> replicas) {}

    private LoadProcess(List<String> command, Path history) {
        this.history = history;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts clients of the service. */
    static LoadProcess of(String name, long seed, Path history, Targets targets) {
        List<String> command = JavaCommand.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JavaCommand.classPath(),
                LoadMain.class.getName(),
                name,
                Long.toString(seed),
                history.toString(),
                Integer.toString(targets.register()));
        targets.replicas().forEach(port -> command.add(port.toString()));
        return new LoadProcess(command, history);
    }

    /**
     * Starts clients of another library, which use the servers themselves.
     *
     * @param program a program and its arguments
     */
    static LoadProcess ofPeer(List<String> program, String name, Path history, List<String> servers) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(name, history.toString()));
        command.addAll(servers);
        return new LoadProcess(command, history);
    }

    Path history() {
        return history;
    }

    /** Asks the clients to finish their current work. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitEnd() {
        try {
            if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("a client process failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
