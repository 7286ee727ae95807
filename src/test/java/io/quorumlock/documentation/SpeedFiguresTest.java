// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The speed figures of the README are those of the linked results. */
class SpeedFiguresTest {
    private static final Pattern ROW = Pattern.compile("\\| ([\\d,]+) \\| ([\\d.]+) \\(([\\d.]+-[\\d.]+)\\) times");

    @Test
    void readmeHasFiguresOfResults() {
        String results = plain(Document.read(Path.of("bench/HISTORY.md")));
        String speed = plain(Document.readme()).replaceFirst(".*## Speed ", "").replaceFirst(" ## .*", "");
        List<MatchResult> rows = ROW.matcher(speed).results().toList();
        assertEquals(3, rows.size(), speed);
        for (MatchResult row : rows) {
            assertTrue(results.matches(".*\\b" + row.group(1) + " \\(.*"), row::group);
            assertTrue(
                    results.matches(".*\\b" + Pattern.quote(row.group(2)) + ",? \\(?" + row.group(3) + "\\).*"),
                    row::group);
        }
    }

    /** Returns the text in one line, without emphasis. */
    private static String plain(Document document) {
        return document.text().replaceAll("\\s+", " ").replace("**", "");
    }
}
