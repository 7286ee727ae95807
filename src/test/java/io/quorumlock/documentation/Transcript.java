// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A terminal session in a document. A line that begins with {@code "$ "} is a command; the lines below it are its output.
 * "…" matches any text within a line and, alone on a line, any number of lines.
 */
record Transcript(List<Step> steps) {
    private static final String PROMPT = "$ ";
    private static final String ELLIPSIS = "…";

    /** A command and its output. */
    record Step(String command, String output) {

        boolean matches(String actual) {
            return pattern().matcher(tidy(actual)).matches();
        }

        private Pattern pattern() {
            return Pattern.compile(tidy(output).lines().map(Step::pattern).collect(Collectors.joining()));
        }

        private static String pattern(String line) {
            if (line.equals(ELLIPSIS)) {
                return "(?:.*\\n)*?";
            }
            return Stream.of(line.split(ELLIPSIS, -1)).map(Pattern::quote).collect(Collectors.joining(".*?")) + "\\n";
        }

        /** Normalises line ends. */
        private static String tidy(String text) {
            String stripped = text.replace("\r", "").strip();
            return stripped.isEmpty() ? "" : stripped + "\n";
        }
    }

    static Transcript of(List<String> blocks) {
        List<Step> steps = new ArrayList<>();
        for (String block : blocks) {
            for (String command : block.split("(?m)^" + Pattern.quote(PROMPT))) {
                int end = command.indexOf('\n');
                if (end > 0) {
                    steps.add(new Step(command.substring(0, end), command.substring(end + 1)));
                }
            }
        }
        return new Transcript(List.copyOf(steps));
    }
}
