// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client.testing;

import java.io.IOException;
import java.util.List;

/** Runs a main class with the class path of the test as another process, until it prints a line. Then it is killed. */
public final class OtherProcess {
    private OtherProcess() {}

    /** Returns the line. */
    public static String killAfterLine(Class<?> main, String argument) throws IOException {
        String java = ProcessHandle.current().info().command().orElseThrow();
        Process process = new ProcessBuilder(
                        List.of(java, "-cp", System.getProperty("java.class.path"), main.getName(), argument))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return process.inputReader().readLine();
        } finally {
            process.destroyForcibly();
        }
    }
}
