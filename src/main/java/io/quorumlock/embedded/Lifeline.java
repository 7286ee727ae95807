package io.quorumlock.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Ties a shell script to this JVM by a pipe that only the JVM holds open: when it closes the pipe, or ends in whatever
 * way, kill -9 included, the script reads end-of-file and tidies up.
 */
final class Lifeline implements AutoCloseable {
    private final Process shell;
    private final BufferedReader output;

    private Lifeline(Process shell) {
        this.shell = shell;
        this.output = shell.inputReader(StandardCharsets.UTF_8);
    }

    /** Runs {@code script} with its complaints, and those of what it starts, in {@code log} or nowhere. */
    static Lifeline tie(String script, Optional<Path> log, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "quorumlock-embedded"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(
                log.map(Path::toFile).map(ProcessBuilder.Redirect::to).orElse(ProcessBuilder.Redirect.DISCARD));
        try {
            return new Lifeline(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run a POSIX shell (sh): " + e.getMessage(), e);
        }
    }

    /** Reads the next line the script prints; empty when it ended without one. */
    Optional<String> line() {
        try {
            return Optional.ofNullable(output.readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isAlive() {
        return shell.isAlive();
    }

    /** Waits a moment for the script to end; says whether it did. */
    boolean endsWithin(int milliseconds) {
        try {
            return shell.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", e);
        }
    }

    /** Waits, bounded and whatever the interrupts, until the script has ended. */
    void awaitEnd() {
        shell.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Lets go of the script, and returns when it has tidied up. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            shell.destroy(); // the pipe is broken: the script has ended already
        }
        awaitEnd();
    }
}
