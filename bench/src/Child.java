package io.quorumlock.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Is a process that ends with this one, also when this one is killed. */
final class Child implements AutoCloseable {
    // Waits for the process, and in a second shell for the pipe from this JVM to close.
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

    private Child(Process process, ProcessHandle handle, Path log) {
        this.process = process;
        this.handle = handle;
        this.log = log;
    }

    /** Starts a process that reads nothing; a shell ends it with this JVM. */
    static Child supervised(Path log, Map<String, String> environment, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("sh", "-c", SUPERVISOR, "bench"));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all).redirectError(log.toFile());
        builder.environment().putAll(environment);
        Process supervisor = builder.start();
        String pid = Optional.ofNullable(supervisor.inputReader().readLine())
                .orElseThrow(() -> new IOException("no POSIX shell"));
        // One that ended at once is told by its log.
        ProcessHandle handle = ProcessHandle.of(Long.parseLong(pid)).orElse(supervisor.toHandle());
        return new Child(supervisor, handle, log);
    }

    /** Starts a process that takes commands, and ends by itself when there can be no more. */
    static Child commanded(Path log, Path folder, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(log.toFile())
                .start();
        return new Child(process, process.toHandle(), log);
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

    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells the last line that it wrote on its own account, for people. */
    String lastWords() {
        String all = output().strip();
        return all.substring(all.lastIndexOf('\n') + 1) + " (all of it: " + log + ")";
    }

    /** Waits a moment; says whether it has ended. */
    boolean ended(int milliseconds) {
        try {
            return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end, and lets it do so by itself. */
    void end(int seconds) {
        handle.destroy();
        if (!ended(seconds * 1_000)) {
            throw new IllegalStateException("a process did not end when it was asked to; its own words are in " + log);
        }
    }

    @Override
    public void close() {
        handle.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
