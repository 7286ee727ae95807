// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.interop;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** Packages of other languages, installed below target/ together with the scripts that use them. */
final class Packages {
    private static final int MOST_SECONDS = 180;
    private static final Pattern NO_REGISTRY = Pattern.compile(
            "ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|NewConnectionError|ConnectTimeoutError|ReadTimeoutError");

    private Packages() {}

    /** Returns whether this machine has Node.js. */
    static boolean canRunNode() {
        return isOnPath("node") && isOnPath("npm");
    }

    /** Returns whether this machine has Python. */
    static boolean canRunPython() {
        return isOnPath("python3");
    }

    /**
     * Installs npm packages according to the lock file of a folder of src/test, and returns the copy of the folder.
     *
     * @throws TestAbortedException if no npm registry can be reached
     */
    static Path ofNode(String name) {
        Path folder = copy(name);
        run(
                folder,
                "npm",
                "ci",
                "--prefer-offline",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--fetch-retries=1");
        return folder;
    }

    /**
     * Installs the requirements of a folder of src/test in the virtual environment "venv", and returns the copy of the folder.
     *
     * @throws TestAbortedException if no package index can be reached
     */
    static Path ofPython(String name) {
        Path folder = copy(name);
        run(folder, "python3", "-m", "venv", "venv");
        run(folder, "venv/bin/pip", "install", "--retries=1", "--requirement", "requirements.txt");
        return folder;
    }

    private static Path copy(String name) {
        Path folder = Path.of("target", name);
        try (Stream<Path> files = Files.list(Path.of("src/test", name))) {
            Files.createDirectories(folder);
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    private static void run(Path folder, String... command) {
        try {
            Path log = folder.resolve("install.log");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean succeeded = succeeds(process);
            String output = Files.readString(log);
            if (!succeeded && NO_REGISTRY.matcher(output).find()) {
                throw new TestAbortedException("no registry of packages can be reached: " + output);
            }
            if (!succeeded) {
                throw new AssertionError(List.of(command) + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean succeeds(Process process) {
        try {
            return process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
