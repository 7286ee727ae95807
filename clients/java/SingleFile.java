// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the client as one file, for users who copy it into their sources: the other classes of the package become nested
 * classes of {@code QuorumlockClient}. {@code java SingleFile.java FOLDER FILE} reads the folder and writes the file.
 */
final class SingleFile {
    private static final String HEAD =
            """
            // SPDX-License-Identifier: Apache-2.0
            // The client of Quorumlock in one file, which needs Java 17 and nothing else. Copy it to io/quorumlock/client, or
            // change its package. It is assembled from the sources of the package io.quorumlock:quorumlock-client, whose other
            // classes are nested here: add "import io.quorumlock.client.QuorumlockClient.*;".
            package io.quorumlock.client;

            """;

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path outer = folder.resolve("QuorumlockClient.java");
        List<Path> nested;
        try (Stream<Path> files = Files.list(folder)) {
            nested = files.filter(file -> !file.equals(outer) && !file.endsWith("package-info.java"))
                    .sorted()
                    .toList();
        }
        SortedSet<String> imports = new TreeSet<>();
        String client = body(outer, imports).stripTrailing();
        StringBuilder single = new StringBuilder(client.substring(0, client.length() - 1).stripTrailing());
        for (Path file : nested) {
            single.append("\n\n").append(nest(body(file, imports)));
        }
        Path target = Path.of(arguments[1]);
        Files.createDirectories(target.getParent());
        Files.writeString(target, HEAD + String.join("\n", imports) + "\n\n" + single + "\n}\n");
    }

    /** Returns the class of a source file with its comment, and adds the imports of the file. */
    private static String body(Path file, SortedSet<String> imports) throws IOException {
        List<String> lines = Files.readAllLines(file);
        lines.stream().filter(line -> line.startsWith("import ")).forEach(imports::add);
        return lines.stream()
                .dropWhile(line -> line.isEmpty() || line.matches("(//|package |import ).*"))
                .collect(Collectors.joining("\n"));
    }

    private static String nest(String body) {
        String nested = body.replaceFirst("(?m)^public ((?:final |abstract )?class )", "public static $1")
                .replaceFirst("(?m)^((?:final |abstract )?class )", "private static $1")
                .replaceFirst("(?m)^record ", "private record ");
        return nested.replaceAll("(?m)^(?=.)", "    ");
    }
}
