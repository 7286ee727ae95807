// SPDX-License-Identifier: Apache-2.0
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
 * A shell script that ends with this JVM. The JVM holds a pipe open; if the JVM closes the pipe or ends, also by
 * {@code kill -9}, the script reads end-of-file and cleans up.
 */
final class Lifeline implements AutoCloseable {
    private final Process shell;
    private final BufferedReader output;

    private Lifeline(Process shell) {
        this.shell = shell;
        this.output = shell.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Runs a script.
     *
     * @param log file for the standard error of the script and its children; discarded if empty
     */
    static Lifeline start(String script, Optional<Path> log, List<String> arguments) {
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

    /** Returns the next line of output, or nothing if the script has ended. */
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

    /** Returns whether the script ended within this time. */
    boolean endsWithin(int milliseconds) {
        try {
            return shell.waitFor(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", e);
        }
    }

    /** Waits up to 10 s for the end of the script, without reacting to interrupts. */
    void awaitEnd() {
        shell.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Closes the pipe and waits until the script has cleaned up. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            shell.destroy(); // The pipe is broken: the script has ended.
        }
        awaitEnd();
    }
}
