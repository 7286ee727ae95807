// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A main class that runs with the class path of the test as another process, until it is closed. */
public final class OtherProcess implements AutoCloseable {
    private final Process process;

    /** Starts the process. */
    public OtherProcess(Class<?> main, String... arguments) {
        String java = ProcessHandle.current().info().command().orElseThrow();
        List<String> command =
                new ArrayList<>(List.of(java, "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        process = start(command);
    }

    /** Waits for the next line that the process prints. Returns null at its end. */
    public String readLine() {
        try {
            return process.inputReader().readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a line to the process. */
    public void println(String line) {
        try {
            process.outputWriter().append(line).append('\n').flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Suspends the process. */
    public void suspend() {
        signal("STOP");
    }

    /** Lets the process go on. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int status = start(List.of("sh", "-c", "kill -" + signal + " " + process.pid()))
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill failed with status " + status);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Process start(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
