// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The speed figures of the README are those of its chart, which the benchmark draws. */
class SpeedFiguresTest {
    private static final Pattern TEXT = Pattern.compile("<text [^>]*>([^<]*)</text>");

    @Test
    void readmeHasFiguresOfItsChart() throws IOException {
        List<String> texts = TEXT.matcher(Files.readString(Path.of("docs/images/speed.svg")))
                .results()
                .map(text -> text.group(1))
                .toList();
        double ours = value(texts, "Quorumlock, over HTTP");
        expect(
                "| %.1f times node-redlock, %.1f times RedissonRedLock |",
                ours / value(texts, "node-redlock, in process"), ours / value(texts, "RedissonRedLock, in process"));
        expect("one client needs %.2f ms for a lock,", 1000 / value(texts, "1 client"));
    }

    private static void expect(String format, Object... figures) throws IOException {
        String expected = String.format(Locale.ROOT, format, figures);
        String readme = Document.readme().text().replaceAll("\\s+", " ");
        assertTrue(readme.contains(expected), () -> "README.md lacks: " + expected);
    }

    /** Returns the value that follows a label. */
    private static double value(List<String> texts, String label) {
        return Double.parseDouble(texts.get(texts.indexOf(label) + 1).replace(",", ""));
    }
}
