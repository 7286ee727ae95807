// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.InvalidValues;
import io.smallrye.config.ConfigValidationException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The end of a start that failed: one line for each wrong setting, and one with the messages of all causes for anything else. */
final class StartErrors {
    private static final Logger LOG = Logger.getLogger(StartErrors.class);

    /** The message of a start that ends because of SIGTERM. */
    static final String TERMINATED = "terminated during the start";

    /** With the message of the JVM, if a shutdown hook is added then. */
    private static final Set<String> SHUTDOWN = Set.of(TERMINATED, "Shutdown in progress");

    private static volatile boolean ended;

    private StartErrors() {}

    /** Prints a line if the process is terminated before {@link #startEnded}. */
    static void watchStart() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (!ended) {
                                System.err.println(TERMINATED);
                            }
                        },
                        "report-termination"));
    }

    /** Notes that the start succeeded or failed. */
    static void startEnded() {
        ended = true;
    }

    /** Ends the process. Prints the reason if the start failed. */
    static void exit(int status, Throwable failure) {
        if (isTermination(failure)) {
            return;
        }
        startEnded();
        if (failure != null) {
            System.err.println(wrongSettings(failure).orElseGet(() -> messages(failure, System.getenv())));
            LOG.debug("the start failed", failure);
        }
        System.exit(status);
    }

    /** Returns whether the start failed because the process ends. Its status is then that of the signal. */
    static boolean isTermination(Throwable failure) {
        return failure != null
                && (SHUTDOWN.contains(String.valueOf(failure.getMessage())) || isTermination(failure.getCause()));
    }

    /** Returns the message about wrong settings; empty if the failure has another reason. */
    static Optional<String> wrongSettings(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConfigurationException wrong) {
                return Optional.of(wrong.getMessage());
            }
            if (cause instanceof ConfigValidationException wrong) {
                return Optional.of(Stream.concat(
                                Features.NAMES.unknown(System.getenv().keySet()),
                                InvalidValues.lines(wrong, Features.NAMES).stream())
                        .collect(Collectors.joining("\n")));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the messages of a failure and its causes, the first one as the outermost, each once. Those of Quarkus name a file, and
     * not the setting.
     */
    static String messages(Throwable failure, Map<String, String> environment) {
        StringBuilder text = new StringBuilder("the start failed");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            if (text.indexOf(message) < 0) {
                text.append(": ").append(message);
            }
        }
        environment.forEach((name, value) -> {
            if (name.startsWith("QUARKUS_") && value.startsWith("/") && text.indexOf(value) >= 0) {
                text.append("; see ").append(name);
            }
        });
        return text + "; QUARKUS_LOG_LEVEL=DEBUG shows where";
    }
}
