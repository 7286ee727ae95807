// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import java.net.URI;
import java.time.Duration;
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

    /** The address of the service in the documents. */
    static final String DOCUMENTED = "http://localhost:8080";

    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** A command and its output. */
    record Step(String command, String output) {

        boolean matches(String actual) {
            return pattern().matcher(tidy(actual)).matches();
        }

        void check(String actual) {
            assertTrue(matches(actual), () -> command + "\nshould print\n" + output + "\nnot\n" + actual);
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

    /** Runs all commands in one shell and compares what they print. */
    void run(Shell shell) {
        List<String> outputs = shell.session(
                Eventually.LONGEST, steps.stream().map(Step::command).toList());
        assertEquals(steps.size(), outputs.size(), () -> String.join("\n", outputs));
        for (int i = 0; i < outputs.size(); i++) {
            steps.get(i).check(outputs.get(i));
        }
    }

    /** Returns the transcript for the service at another address. */
    Transcript at(URI service) {
        String address = "http://localhost:" + service.getPort();
        return new Transcript(steps.stream()
                .map(step -> new Step(step.command.replace(DOCUMENTED, address), step.output))
                .toList());
    }

    /** Returns the transcript with another text in the outputs. */
    Transcript with(String shown, String instead) {
        return new Transcript(steps.stream()
                .map(step -> new Step(step.command, step.output.replace(shown, instead)))
                .toList());
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
