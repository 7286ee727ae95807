// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The speed figures of the README are those of the linked results. */
class SpeedFiguresTest {
    private static final Pattern ROW = Pattern.compile("\\| ([\\d,]+) \\| ([\\d.]+) \\(([\\d.]+-[\\d.]+)\\) times");

    private static final Pattern NUMBER = Pattern.compile("\\b(\\d,?\\d{3}) \\(");

    @Test
    void readmeHasFiguresOfResults() {
        String results = plain(Document.read(Path.of("bench/README.md")));
        String speed = plain(Document.readme()).replaceFirst(".*## Speed ", "").replaceFirst(" ## .*", "");
        List<MatchResult> rows = ROW.matcher(speed).results().toList();
        assertEquals(3, rows.size(), speed);
        for (MatchResult row : rows) {
            assertTrue(
                    NUMBER.matcher(results).results().anyMatch(figure -> rounded(figure.group(1))
                            .equals(row.group(1))),
                    row::group);
            assertTrue(
                    results.matches(".*\\b" + Pattern.quote(row.group(2)) + ",? \\(?" + row.group(3) + "\\).*"),
                    row::group);
        }
    }

    /** Returns a number of four digits with two of them. */
    private static String rounded(String number) {
        return String.format(Locale.ROOT, "%,d", Math.round(Integer.parseInt(number.replace(",", "")) / 100.0) * 100);
    }

    /** Returns the text in one line, without emphasis. */
    private static String plain(Document document) {
        return document.text().replaceAll("\\s+", " ").replace("**", "");
    }
}
