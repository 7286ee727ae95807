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

/** The npm package "redlock", installed below target/ together with the script that calls it. */
final class NodePackage {
    private static final Path SOURCE = Path.of("src/test/node");
    private static final Path FOLDER = Path.of("target/node-redlock");
    private static final int MOST_SECONDS = 120;
    private static final Pattern NO_REGISTRY = Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH");

    private NodePackage() {}

    /** Returns whether this machine has Node.js. */
    static boolean canRun() {
        return isOnPath("node") && isOnPath("npm");
    }

    /**
     * Installs the package according to its lock file and returns the folder.
     *
     * @throws TestAbortedException if no npm registry can be reached
     */
    static Path install() {
        try {
            Files.createDirectories(FOLDER);
            for (String file : List.of("package.json", "package-lock.json", "redlock-client.mjs")) {
                Files.copy(SOURCE.resolve(file), FOLDER.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            runNpm("ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return FOLDER;
    }

    private static void runNpm(String... arguments) throws IOException {
        Path log = FOLDER.resolve("npm.log");
        Process npm = new ProcessBuilder(
                        Stream.concat(Stream.of("npm"), Stream.of(arguments)).toList())
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean succeeded = succeeds(npm);
        String output = Files.readString(log);
        if (!succeeded && NO_REGISTRY.matcher(output).find()) {
            throw new TestAbortedException(
                    "no npm registry can be reached, tests with node-redlock are skipped: " + output);
        }
        if (!succeeded) {
            throw new AssertionError("npm " + String.join(" ", arguments) + " failed: " + output);
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
