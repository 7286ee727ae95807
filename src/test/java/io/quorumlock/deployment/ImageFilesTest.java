// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files from which the build in the container image makes the service. */
class ImageFilesTest {
    private static final Pattern PACKAGED = Pattern.compile("<directory>\\$\\{project.basedir}/([^/<]+)");

    @Test
    void imageHasAllFoldersThatTheBuildPackages() throws IOException {
        Set<String> folders = PACKAGED.matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .map(folder -> folder.group(1))
                .collect(Collectors.toSet());
        assertTrue(folders.contains("clients"), folders::toString);
        List<String> copied = Files.readAllLines(Path.of("Dockerfile"));
        List<String> sent = Files.readAllLines(Path.of(".dockerignore"));
        for (String folder : folders) {
            assertTrue(copied.contains("COPY " + folder + " " + folder), folder);
            assertTrue(sent.contains("!" + folder), folder);
        }
    }
}
