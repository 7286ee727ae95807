// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The packaged service of the previous version, which {@code .ci/previous} builds. */
final class PreviousVersion {
    private static final String PROPERTY = "previous.jar";

    private PreviousVersion() {}

    /** Returns the jar that the system property names. Skips the test without it. */
    static Path jar() {
        String jar = System.getProperty(PROPERTY, "");
        assumeTrue(!jar.isBlank(), "no previous version: build it with .ci/previous, and set -D" + PROPERTY);
        Path found = Path.of(jar).toAbsolutePath();
        assertTrue(Files.isRegularFile(found), () -> PROPERTY + " is no file: " + found);
        return found;
    }
}
