// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/** The end of a start that failed: one line for each wrong setting, and a stack trace for anything else. */
final class StartErrors {
    private static final Logger LOG = Logger.getLogger(StartErrors.class);
    /** The framework's message about a value of the wrong type. The last group is that of the converter. */
    private static final Pattern WRONG_TYPE = Pattern.compile(
            "(?s).*The config property (\\S+) with the config value \"(.*)\" threw an Exception whilst being converted (.*)");

    private static final Pattern CODE = Pattern.compile("^(java\\S+: )?(SRCFG\\d+: )?");

    private StartErrors() {}

    /** Ends the process. Prints the reason if the start failed. */
    static void exit(int status, Throwable failure) {
        if (failure != null) {
            explain(failure).ifPresentOrElse(System.err::println, () -> LOG.error("the start failed", failure));
        }
        System.exit(status);
    }

    /** Returns the message about wrong settings; empty if the failure has another reason. */
    static Optional<String> explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConfigurationException wrong) {
                return Optional.of(wrong.getMessage());
            }
            if (cause instanceof ConfigValidationException wrong) {
                return Optional.of(IntStream.range(0, wrong.getProblemCount())
                        .mapToObj(i -> line(wrong.getProblem(i).getMessage()))
                        .collect(Collectors.joining("\n")));
            }
        }
        return Optional.empty();
    }

    private static String line(String problem) {
        Matcher type = WRONG_TYPE.matcher(problem);
        return type.matches()
                ? variable(type.group(1)) + "=" + type.group(2) + ": " + plain(type.group(3))
                : plain(problem);
    }

    private static String plain(String message) {
        return CODE.matcher(message).replaceFirst("");
    }

    /** Returns the environment variable of a key. */
    static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
