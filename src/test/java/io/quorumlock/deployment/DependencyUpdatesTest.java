// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The folders whose dependencies GitHub updates: all that have a file with dependencies. */
class DependencyUpdatesTest {
    private static final Map<String, String> ECOSYSTEMS = Map.of(
            "pom.xml", "maven",
            "go.mod", "gomod",
            "package.json", "npm",
            "requirements.txt", "pip",
            "pyproject.toml", "pip",
            "Dockerfile", "docker",
            "docker-compose.yml", "docker-compose");
    private static final Set<String> BUILT = Set.of("node_modules", "target");

    @Test
    void everyFolderWithDependenciesIsListed() throws IOException {
        assertEquals(folders(), listed());
    }

    private static Set<String> listed() {
        Set<String> listed = new TreeSet<>();
        for (JsonNode update :
                Monitoring.yaml(Path.of(".github/dependabot.yml")).path("updates")) {
            String ecosystem = update.path("package-ecosystem").asText() + " ";
            update.path("directories").forEach(folder -> listed.add(ecosystem + folder.asText()));
            if (update.has("directory")) {
                listed.add(ecosystem + update.path("directory").asText());
            }
        }
        return listed;
    }

    private static Set<String> folders() throws IOException {
        Set<String> folders = new TreeSet<>(Set.of("github-actions /")); // for .github/workflows
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return BUILT.contains(name) || name.startsWith(".")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String ecosystem = ECOSYSTEMS.get(file.getFileName().toString());
                if (ecosystem != null && !isModule(file)) {
                    Path folder = file.getParent();
                    folders.add(ecosystem + " /" + (folder == null ? "" : folder));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return folders;
    }

    /** Returns whether the file belongs to a Maven module, which is updated with its parent. */
    private static boolean isModule(Path file) throws IOException {
        return file.endsWith("pom.xml") && Files.readString(file).contains("<parent>");
    }
}
