// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of tests in docs/guarantees.md has what the tests say by {@link io.quorumlock.testing.Proves}. */
class GuaranteesTest {
    private static final Pattern BULLET = Pattern.compile("^- \\*\\*([A-Z]\\d*)(?: |\\.\\*\\*)", Pattern.MULTILINE);

    private static final Pattern PROVES = Pattern.compile("(?m)^@Proves\\((.*)\\)$");
    private static final Pattern NAME = Pattern.compile("\"(\\w+)\"");

    @Test
    void tableHasTheTestsOfEachPromiseAndRule() throws IOException {
        Document page = Document.docs("guarantees.md");
        Map<String, TreeSet<String>> tests = new LinkedHashMap<>();
        BULLET.matcher(page.text()).results().forEach(bullet -> tests.put(bullet.group(1), new TreeSet<>()));
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                PROVES.matcher(Files.readString(file))
                        .results()
                        .flatMap(proves -> NAME.matcher(proves.group(1)).results())
                        .forEach(promise -> tests.get(promise.group(1)).add("`" + name + "`"));
            }
        }
        List<String> rows = tests.entrySet().stream()
                .map(row -> "| " + row.getKey() + " | " + String.join(", ", row.getValue()) + " |")
                .toList();
        List<String> shown = page.text()
                .lines()
                .filter(line -> line.matches("\\| [A-Z]\\d* \\| `.*"))
                .toList();
        assertEquals(rows.stream().collect(Collectors.joining("\n")), String.join("\n", shown));
    }
}
