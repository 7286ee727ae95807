// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM that a test starts. */
public final class JavaCommand {
    private JavaCommand() {}

    /** Returns a command that uses the temporary folder of the tests: a JVM does not take it from the environment. */
    public static List<String> of(String... arguments) {
        return in(Path.of(System.getProperty("java.io.tmpdir")), arguments);
    }

    /** Returns a command that uses another temporary folder. */
    static List<String> in(Path temporary, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("test.java.home", System.getProperty("java.home")) + "/bin/java");
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns the class path of the tests, for a JVM that runs a class of theirs. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
