// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process that ends with this one, also when this one is killed. */
final class ChildProcess implements AutoCloseable {
    // Waits for the process and, in a second shell, for the end of the pipe from this JVM.
    private static final String SUPERVISOR =
            """
            trap '' HUP INT TERM
            exec 3<&0
            (trap - TERM; exec "$@") </dev/null >&2 3<&- &
            child=$!
            (while read -r line; do :; done; kill -9 $child) <&3 >/dev/null 2>&1 &
            watcher=$!
            echo $child
            wait $child
            kill -9 $watcher
            """;

    private final Process process;
    private final ProcessHandle handle;
    private final Path log;

    private ChildProcess(Process process, ProcessHandle handle, Path log) {
        this.process = process;
        this.handle = handle;
        this.log = log;
    }

    /** Starts a process that reads no input. A shell ends it with this JVM. */
    static ChildProcess supervised(Path log, Map<String, String> environment, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("sh", "-c", SUPERVISOR, "bench"));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all).redirectError(createLog(log));
        builder.environment().putAll(environment);
        Process supervisor = builder.start();
        String pid = Optional.ofNullable(supervisor.inputReader().readLine())
                .orElseThrow(() -> new IOException("no POSIX shell"));
        // A process that has already ended has no handle.
        ProcessHandle handle = ProcessHandle.of(Long.parseLong(pid)).orElse(supervisor.toHandle());
        return new ChildProcess(supervisor, handle, log);
    }

    /** Starts a process that reads commands from its input and exits at the end of the input. */
    static ChildProcess commanded(Path log, Path folder, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(createLog(log))
                .start();
        return new ChildProcess(process, process.toHandle(), log);
    }

    private static File createLog(Path log) throws IOException {
        Files.createDirectories(log.getParent());
        return log.toFile();
    }

    ProcessHandle handle() {
        return handle;
    }

    BufferedReader answers() {
        return process.inputReader();
    }

    BufferedWriter commands() {
        return process.outputWriter();
    }

    Path log() {
        return log;
    }

    /** Returns what the process has logged so far. */
    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the last line of the log and the path of the log, for an error message. */
    String lastLogLine() {
        String all = output().strip();
        return all.substring(all.lastIndexOf('\n') + 1) + " (log: " + log + ")";
    }

    /** Waits for the end of the process, this long at most, and returns whether it has ended. */
    boolean awaitEnd(int milliseconds) {
        try {
            return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Sends SIGTERM and waits for the end of the process. */
    void stop(int seconds) {
        handle.destroy();
        if (!awaitEnd(seconds * 1_000)) {
            throw new IllegalStateException("a process did not stop within " + seconds + " s, see " + log);
        }
    }

    @Override
    public void close() {
        handle.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
