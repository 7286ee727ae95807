// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The format of the documents. */
class MarkdownTest {
    private static final int COLUMNS = 100;
    private static final int README_LINES = 130;
    private static final String CODE = "    ";
    private static final String ROW = "|";
    private static final String CELL_END = "(?<!\\\\)\\|";

    @Test
    void wrapsProseAt100Columns() {
        assertEquals(List.of(), breaches(MarkdownTest::tooLong));
    }

    /** A blank line or a missing separator splits a table. A row with extra cells loses them. */
    @Test
    void keepsTablesWhole() {
        assertEquals(List.of(), breaches(MarkdownTest::brokenTable));
    }

    /** A fence with content on its line renders as inline code. */
    @Test
    void keepsFencesOnTheirOwnLines() {
        assertEquals(List.of(), breaches(MarkdownTest::brokenFence));
    }

    @Test
    void keepsTheReadmeShort() {
        assertTrue(Document.readme().text().lines().count() <= README_LINES);
    }

    @Test
    void detectsSplitTables() {
        assertTrue(
                brokenTable(List.of("| a | b |", "|---|---|", "| 1 | 2 |"), 2).isEmpty());
        assertTrue(brokenTable(List.of("| a | b |", "|---|---|", "| `x\\|y` | 2 |"), 2)
                .isEmpty());
        assertEquals("other cells", brokenTable(List.of("| a | b |", "|---|---|", "| x|y | 2 |"), 2));
        assertEquals("no header", brokenTable(List.of("| a |", "|---|", "", "| 1 |"), 3));
    }

    private interface Check {
        /** Returns the fault of a line; empty if there is none. */
        String fault(List<String> lines, int line);
    }

    private static List<String> breaches(Check check) {
        List<String> breaches = new ArrayList<>();
        for (Document document : Document.all()) {
            List<String> lines = document.prose().lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                String fault = check.fault(lines, i);
                if (!fault.isEmpty()) {
                    breaches.add(document.path() + ":" + (i + 1) + " " + fault);
                }
            }
        }
        return breaches;
    }

    private static String tooLong(List<String> lines, int line) {
        String text = lines.get(line);
        boolean prose = Stream.of(ROW, CODE).noneMatch(text::startsWith);
        return prose && text.length() > COLUMNS ? text.length() + " columns" : "";
    }

    /** Whole blocks of code are not in the prose. */
    private static String brokenFence(List<String> lines, int line) {
        return lines.get(line).contains("```") ? "fence without block" : "";
    }

    private static String brokenTable(List<String> lines, int line) {
        if (!isRow(lines, line)) {
            return "";
        }
        int header = line;
        while (isRow(lines, header - 1)) {
            header--;
        }
        if (!isRow(lines, header + 1) || !lines.get(header + 1).matches("[|: -]+")) {
            return "no header";
        }
        return cells(lines.get(line)) == cells(lines.get(header)) ? "" : "other cells";
    }

    private static boolean isRow(List<String> lines, int line) {
        return line >= 0 && line < lines.size() && lines.get(line).startsWith(ROW);
    }

    private static int cells(String row) {
        return row.strip().split(CELL_END).length;
    }
}
