// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Markdown document of the project. */
public record Document(Path path, String text) {
    private static final Pattern FENCED =
            Pattern.compile("^ *```(\\w*)\\n(.*?)^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

    public static Document read(Path path) {
        try {
            return new Document(path, Files.readString(path, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Document readme() {
        return read(Path.of("README.md"));
    }

    /** Returns a document of the folder docs. */
    public static Document docs(String name) {
        return read(Path.of("docs", name));
    }

    /** Returns the documents of the root folder, bench and docs, with subfolders of docs. */
    static List<Document> all() {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> bench = Files.list(Path.of("bench"));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.of(root, bench, docs)
                    .flatMap(paths -> paths)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .map(Document::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the fenced code blocks of one language. */
    public List<String> blocks(String language) {
        return FENCED.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** Returns the fenced code blocks of one language by the heading of their section. */
    Map<String, String> blocksByHeading(String language) {
        Map<String, String> blocks = new LinkedHashMap<>();
        for (String section : text.split("(?m)^## ")) {
            String heading = section.substring(0, section.indexOf('\n'));
            new Document(path, section).blocks(language).forEach(block -> blocks.merge(heading, block, String::concat));
        }
        return blocks;
    }

    /** Returns the table rows whose first cell begins with {@code `prefix}. Cells are returned without backquotes. */
    public List<List<String>> rows(String prefix) {
        return text.lines()
                .filter(line -> line.startsWith("| `" + prefix))
                .map(line -> Stream.of(line.substring(1).split("(?<!\\\\)\\|"))
                        .map(cell -> cell.strip().replaceAll("^`|`$", ""))
                        .toList())
                .toList();
    }

    /** Returns the anchors of the headings, as GitHub generates them. */
    public Set<String> anchors() {
        return find(HEADING).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Returns the matches outside fenced code blocks. */
    List<MatchResult> find(Pattern pattern) {
        return pattern.matcher(prose()).results().toList();
    }

    /** Returns the text without fenced code blocks. Line numbers stay the same. */
    String prose() {
        return FENCED.matcher(text)
                .replaceAll(block -> "\n".repeat((int) block.group().lines().count() - 1));
    }
}
