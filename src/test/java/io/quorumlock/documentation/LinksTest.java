// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links and names of tests in the documents. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+(?:Test|IT|Contract))`");

    @Test
    void relativeLinksHaveTargets() {
        List<String> dead = Document.all().stream()
                .flatMap(document -> document.find(LINK).stream()
                        .filter(link -> !hasTarget(document, link.group(1), link.group(2)))
                        .map(link -> document.path() + ": " + link.group()))
                .toList();
        assertEquals(List.of(), dead);
    }

    @Test
    void namedTestsExist() throws IOException {
        Set<String> tests = testClasses();
        List<String> missing = Document.all().stream()
                .flatMap(document -> document.find(TEST_CLASS).stream()
                        .filter(name -> !tests.contains(name.group(1)))
                        .map(name -> document.path() + ": " + name.group(1)))
                .toList();
        assertEquals(List.of(), missing);
    }

    private static boolean hasTarget(Document from, String file, String anchor) {
        Path target = file.isEmpty() ? from.path() : from.path().resolveSibling(file);
        return Files.exists(target)
                && (anchor == null || Document.read(target).anchors().contains(anchor));
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}
