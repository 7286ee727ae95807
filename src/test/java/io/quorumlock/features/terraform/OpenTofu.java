// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A folder of a configuration with outputs only, in which the real OpenTofu runs. */
record OpenTofu(Path folder, Map<String, String> environment) {
    private static final String PROGRAM = System.getProperty("test.tofu", "");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CONFIGURATION =
            """
            terraform {
              backend "http" {
                address        = "%1$s"
                lock_address   = "%2$s"
                unlock_address = "%2$s"
                update_method  = "%3$s"
                retry_max      = 1
              }
            }
            output "serial" {
              value = "%4$s"
            }
            """;

    /** Initializes a folder, or leaves the test out without OpenTofu. */
    static OpenTofu init(Path folder, String address, String output) {
        return new OpenTofu(folder, Map.of()).init(address, address, "POST", output);
    }

    /**
     * Initializes the folder, or leaves the test out without OpenTofu.
     *
     * @param address of the state
     * @param output the value that an apply saves
     */
    OpenTofu init(String address, String lockAddress, String updateMethod, String output) {
        assumeTrue(!PROGRAM.isEmpty(), "set -Dtest.tofu to the path of OpenTofu");
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("main.tf"), CONFIGURATION.formatted(address, lockAddress, updateMethod, output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("init", "-input=false").succeeds();
        return this;
    }

    /** Starts an apply that holds the lock until somebody approves it. */
    Run applyUntilApproved() {
        Run apply = start("apply");
        apply.shows("Enter a value:");
        return apply;
    }

    Run apply(String... options) {
        List<String> arguments = new ArrayList<>(List.of("apply", "-auto-approve"));
        arguments.addAll(List.of(options));
        return start(arguments.toArray(String[]::new));
    }

    Run start(String... arguments) {
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(List.of(arguments));
        command.add("-no-color");
        try {
            Path output = Files.createTempFile(folder, "output", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("CHECKPOINT_DISABLE", "1");
            builder.environment().putAll(environment);
            return new Run(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean has(String file) {
        return Files.exists(folder.resolve(file));
    }

    /** A process of OpenTofu. */
    record Run(Process process, Path file) {
        void approve() {
            try {
                process.getOutputStream().write("yes\n".getBytes(StandardCharsets.US_ASCII));
                process.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Run shows(String text) {
            Eventually.within(LIMIT, () -> text + " in: " + output(), () -> output().contains(text));
            return this;
        }

        int exit() {
            try {
                assertTrue(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS), this::output);
                return process.exitValue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        Run succeeds() {
            assertEquals(0, exit(), this::output);
            return this;
        }

        Run fails() {
            assertEquals(1, exit(), this::output);
            return this;
        }

        void kill() {
            process.destroyForcibly();
            exit();
        }

        String output() {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
