// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links and names of tests in the documents, and the status of decisions. */
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
    void indexHasEveryPage() {
        Document index = Document.docs("README.md");
        Set<Path> listed = index.find(LINK).stream()
                .map(link -> index.path().resolveSibling(link.group(1)).normalize())
                .collect(Collectors.toSet());
        List<Path> missing = Document.all().stream()
                .map(Document::path)
                .filter(path -> path.startsWith("docs") && !path.startsWith("docs/adr") && !path.equals(index.path()))
                .filter(path -> !listed.contains(path))
                .toList();
        assertEquals(List.of(), missing);
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

    /** A decision that changes another one is named there. */
    @Test
    void decisionsHaveDateAndStatus() {
        for (Document decision : Document.all()) {
            if (!decision.path().startsWith("docs/adr")) {
                continue;
            }
            Document status = status(decision);
            assertTrue(
                    status.text().matches("(?s)Date: \\d{4}-\\d\\d-\\d\\d\\. Status: (accepted|superseded by)\\b.*"),
                    status::toString);
            status.find(LINK).stream()
                    .map(link -> status(Document.read(decision.path().resolveSibling(link.group(1)))))
                    .forEach(other -> assertTrue(
                            other.text().contains(decision.path().getFileName().toString()),
                            () -> other + " does not name " + decision.path()));
        }
    }

    /** Returns the paragraph after the title. */
    private static Document status(Document decision) {
        return new Document(decision.path(), decision.text().split("\n\n")[1]);
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
