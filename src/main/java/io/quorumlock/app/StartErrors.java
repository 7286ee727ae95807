// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.UnknownSettingsCheck;
import io.smallrye.config.ConfigValidationException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The end of a start that failed: one line for each wrong setting, and a stack trace for anything else. */
final class StartErrors {
    private static final Logger LOG = Logger.getLogger(StartErrors.class);
    /** The framework's message about a value of the wrong type. The last group is that of the converter. */
    private static final Pattern WRONG_TYPE = Pattern.compile(
            "(?s).*The config property (\\S+) with the config value \"(.*)\" threw an Exception whilst being converted (.*)");

    private static final Pattern EMPTY =
            Pattern.compile("(?s).*The config property (\\S+) is defined as the empty String .*");

    private static final Pattern MISSING = Pattern.compile("(?s).*The config property (\\S+) is required but .*");

    /** The messages of extensions of Quarkus. */
    private static final Pattern WRONG_TLS = Pattern.compile("Invalid (.*) configuration for certificate '(.*?)'.*");

    private static final Pattern WRONG_ENDPOINT =
            Pattern.compile("Invalid endpoint, must start with http:// or https://: (.*)");

    /** The message of a start that ends because of SIGTERM. */
    static final String TERMINATED = "terminated during the start";

    /** With the message of the JVM, if a shutdown hook is added then. */
    private static final Set<String> SHUTDOWN = Set.of(TERMINATED, "Shutdown in progress");

    private static final Pattern UNKNOWN = Pattern.compile("(?s).*?(\\S+) in .* does not map to any root");

    private static final Pattern CHOICE = Pattern.compile("Cannot convert .* to enum class .*, allowed values: (.*)");

    private static final Pattern CODE = Pattern.compile("^(java\\S+: )?(SRCFG\\d+: )?");

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
            explain(failure).ifPresentOrElse(System.err::println, () -> LOG.error("the start failed", failure));
        }
        System.exit(status);
    }

    /** Returns whether the start failed because the process ends. Its status is then that of the signal. */
    static boolean isTermination(Throwable failure) {
        return failure != null
                && (SHUTDOWN.contains(String.valueOf(failure.getMessage())) || isTermination(failure.getCause()));
    }

    /** Returns the message about wrong settings; empty if the failure has another reason. */
    static Optional<String> explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConfigurationException wrong) {
                return Optional.of(wrong.getMessage());
            }
            String message = String.valueOf(cause.getMessage());
            if (message.contains("Address already in use")) {
                // In development mode, and if another process took the port after the check.
                return Optional.of("QUARKUS_HTTP_PORT: another process uses the port; write a free one");
            }
            Matcher tls = WRONG_TLS.matcher(message);
            if (tls.matches()) {
                return Optional.of("QUARKUS_TLS__%s__*: invalid %s (%s); write the paths of PEM files"
                        .formatted(
                                Mistakes.variable(tls.group(2)),
                                tls.group(1),
                                Objects.requireNonNullElse(cause.getCause(), cause)
                                        .getMessage()));
            }
            Matcher endpoint = WRONG_ENDPOINT.matcher(message);
            if (endpoint.matches()) {
                return Optional.of("OTEL_EXPORTER_OTLP_ENDPOINT=%1$s: no http:// or https://; write http://%1$s"
                        .formatted(endpoint.group(1)));
            }
            if (cause instanceof ConfigValidationException wrong) {
                return Optional.of(Stream.concat(
                                UnknownSettingsCheck.problems(System.getenv().keySet()),
                                IntStream.range(0, wrong.getProblemCount())
                                        .mapToObj(i -> line(wrong.getProblem(i).getMessage())))
                        .collect(Collectors.joining("\n")));
            }
        }
        return Optional.empty();
    }

    private static String line(String problem) {
        Matcher type = WRONG_TYPE.matcher(problem);
        if (type.matches()) {
            return Mistakes.variable(type.group(1)) + "=" + type.group(2) + ": " + plain(type.group(3));
        }
        Matcher empty = EMPTY.matcher(problem);
        if (empty.matches()) {
            return Mistakes.variable(empty.group(1)) + "=: empty; write a value, or remove the variable";
        }
        Matcher missing = MISSING.matcher(problem);
        if (missing.matches()) {
            return Mistakes.variable(missing.group(1)) + ": not set; write a value";
        }
        Matcher unknown = UNKNOWN.matcher(problem);
        return unknown.matches() ? UnknownSettingsCheck.problem(unknown.group(1)) : plain(problem);
    }

    /** Replaces the messages of the framework that do not say what to write, or name classes. */
    private static String plain(String message) {
        String text = CODE.matcher(message).replaceFirst("");
        Matcher choice = CHOICE.matcher(text);
        if (choice.matches()) {
            return "unknown; write one of "
                    + Stream.of(choice.group(1).split(",")).sorted().collect(Collectors.joining(", "));
        }
        if (text.matches("(?s)Expected an? (integer|long) value.*")) {
            return "not a whole number; write digits only, as in 10000";
        }
        return text.matches("(?s)Expected a (double|float) value.*")
                ? "not a number; write digits with a decimal point, as in 0.01"
                : text;
    }
}
