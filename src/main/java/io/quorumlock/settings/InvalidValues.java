// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.ConfigValidationException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The framework's messages about values that it cannot convert, in the words of this service. The exception has nothing but text. */
public final class InvalidValues {
    /** The last group is the message of the converter. */
    private static final Pattern WRONG_TYPE = Pattern.compile(
            "(?s).*The config property (\\S+) with the config value \"(.*)\" threw an Exception whilst being converted"
                    + " (?:java\\S+: )?(?:SRCFG\\d+: )?(.*)");

    private static final Pattern NO_VALUE =
            Pattern.compile("(?s).*The config property (\\S+) is (?:(defined as the empty String) |required but ).*");

    private static final Pattern UNKNOWN = Pattern.compile("(?s).*?(\\S+) in .* does not map to any root");

    private static final Pattern CHOICE = Pattern.compile("Cannot convert .* to enum class .*, allowed values: (.*)");

    private InvalidValues() {}

    /** Returns a line for each value. */
    public static List<String> lines(ConfigValidationException wrong, NamesCheck names) {
        return IntStream.range(0, wrong.getProblemCount())
                .mapToObj(i -> line(wrong.getProblem(i).getMessage(), names))
                .toList();
    }

    private static String line(String problem, NamesCheck names) {
        Matcher type = WRONG_TYPE.matcher(problem);
        if (type.matches()) {
            return Mistakes.variable(type.group(1)) + "=" + type.group(2) + ": " + plain(type.group(3));
        }
        Matcher none = NO_VALUE.matcher(problem);
        if (none.matches()) {
            return Mistakes.variable(none.group(1))
                    + (none.group(2) == null
                            ? ": not set; write a value"
                            : "=: empty; write a value, or remove the variable");
        }
        Matcher unknown = UNKNOWN.matcher(problem);
        return unknown.matches() ? names.unknown(unknown.group(1)) : problem;
    }

    /** Replaces the messages that do not say what to write, or name classes. */
    private static String plain(String message) {
        Matcher choice = CHOICE.matcher(message);
        if (choice.matches()) {
            return "unknown; write one of "
                    + Stream.of(choice.group(1).split(",")).sorted().collect(Collectors.joining(", "));
        }
        if (message.matches("(?s)Expected an? (integer|long) value.*")) {
            return "not a whole number; write digits only, as in 10000";
        }
        return message.matches("(?s)Expected a (double|float) value.*")
                ? "not a number; write digits with a decimal point, as in 0.01"
                : message;
    }
}
