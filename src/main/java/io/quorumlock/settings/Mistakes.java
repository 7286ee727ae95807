// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The messages about wrong settings, one in a line. */
public final class Mistakes {
    private Mistakes() {}

    /**
     * Runs all checks.
     *
     * @throws ConfigurationException with the problems of all of them, one in a line
     */
    public static void runAll(Runnable... checks) {
        List<String> problems = new ArrayList<>();
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (ConfigurationException wrong) {
                problems.add(wrong.getMessage());
            }
        }
        refuse(problems);
    }

    /** @throws ConfigurationException with these problems, one in a line, if there are some */
    public static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(String.join("\n", problems));
        }
    }

    /** Returns the environment variable of a key. */
    public static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
