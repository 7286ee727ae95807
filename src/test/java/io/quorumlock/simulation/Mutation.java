// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A change of one production file. The original text must occur exactly once; otherwise the change is stale.
 *
 * @param file path below {@code src/main}
 */
record Mutation(String file, String original, String replacement) {
    private static final Path SOURCES = Path.of("src/main");
    private static final String JAVA = "java/";
    private static final String RESOURCES = "resources/";
    private static final String EXTENSION = ".java";

    /** Returns the changed text of the file. */
    String text() {
        String text = read();
        int first = text.indexOf(original);
        if (first < 0 || text.indexOf(original, first + 1) >= 0) {
            throw new IllegalStateException(
                    "stale: " + (first < 0 ? "not found" : "found more than once") + " in " + file + ": " + original);
        }
        return text.substring(0, first) + replacement + text.substring(first + original.length());
    }

    boolean isJava() {
        return file.startsWith(JAVA);
    }

    /** Returns whether it changes the engine on a store, and not Redlock. */
    boolean isOfConsensus() {
        return file.contains("/consensus/");
    }

    /** Returns the name of the top-level class in the file. */
    String className() {
        return file.substring(JAVA.length(), file.length() - EXTENSION.length()).replace('/', '.');
    }

    /** Returns the resource name of the file for class loaders. */
    String resourceName() {
        return file.substring(RESOURCES.length());
    }

    private String read() {
        try {
            return Files.readString(SOURCES.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
