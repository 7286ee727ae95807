// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.h2.Driver;
import org.junit.jupiter.api.Test;

/** The statements of docs/choosing.md with the numbers of rows that their comments state. */
class ChoosingExampleTest {
    private static final Pattern COUNTED = Pattern.compile("(?m)^(.*); -- (\\d) rows?.*$");

    @Test
    void statementsChangeStatedRows() throws SQLException {
        List<String> examples = Document.docs("choosing.md").blocks("sql");
        assertEquals(2, examples.size());
        for (String example : examples) {
            try (Connection database = new Driver().connect("jdbc:h2:mem:", new Properties());
                    Statement statement = database.createStatement()) {
                statement.execute(example.substring(0, example.indexOf(';')));
                List<MatchResult> counted = COUNTED.matcher(example).results().toList();
                assertEquals(3, counted.size());
                for (MatchResult line : counted) {
                    assertEquals(Integer.parseInt(line.group(2)), statement.executeUpdate(line.group(1)), line.group());
                }
            }
        }
    }
}
