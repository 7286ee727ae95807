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

/** Is one of the project's documents, in Markdown. */
public record Document(Path path, String text) {
    private static final Pattern FENCED =
            Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

    public static Document read(Path path) {
        try {
            return new Document(path, Files.readString(path, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Document readme() {
        return read(Path.of("README.md"));
    }

    /** Finds all documents: those beside the README, and all below docs. */
    static List<Document> all() {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(root, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .map(Document::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Finds the fenced blocks of one language. */
    List<String> blocks(String language) {
        return FENCED.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** Finds the fenced blocks of one language by the heading that they stand under. */
    Map<String, String> blocksByHeading(String language) {
        Map<String, String> blocks = new LinkedHashMap<>();
        for (String section : text.split("(?m)^## ")) {
            String heading = section.substring(0, section.indexOf('\n'));
            new Document(path, section).blocks(language).forEach(block -> blocks.merge(heading, block, String::concat));
        }
        return blocks;
    }

    /** Finds the rows of tables whose first cell begins with {@code `prefix}; each cell without its code marks. */
    List<List<String>> rows(String prefix) {
        return text.lines()
                .filter(line -> line.startsWith("| `" + prefix))
                .map(line -> Stream.of(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replaceAll("^`|`$", ""))
                        .toList())
                .toList();
    }

    /** Finds the names by which links point at the headings. */
    public Set<String> anchors() {
        return find(HEADING).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Finds everything outside code blocks that matches. */
    List<MatchResult> find(Pattern pattern) {
        return pattern.matcher(FENCED.matcher(text).replaceAll("")).results().toList();
    }
}
