// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.TemporaryFolder;
import java.nio.file.Path;

/** Folders that many tests use. They are deleted when the JVM of the tests ends. */
public final class SharedFiles {
    private SharedFiles() {}

    /** Creates an empty folder. */
    public static Path newFolder() {
        TemporaryFolder folder = TemporaryFolder.create();
        Runtime.getRuntime().addShutdownHook(new Thread(folder::close));
        return folder.path();
    }
}
