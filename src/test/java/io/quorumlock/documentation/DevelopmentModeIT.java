// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first start of development mode, in a copy of the project. */
@Tag("nightly")
class DevelopmentModeIT {
    private static final Duration START = Duration.ofMinutes(5);
    private static final List<String> FILES = List.of("pom.xml", "mvnw", ".mvn", "openapi.yaml", "clients", "src");
    /** Warnings, errors, the formatter and the compilation of tests. */
    private static final Pattern UNEXPECTED =
            Pattern.compile("(?m)^.*(WARN|ERROR|Invoking (spotless|compiler\\S*:testCompile)).*$");

    @TempDir
    Path folder;

    @Test
    void firstStartIsCalmAndNamesPage() throws IOException {
        for (String file : FILES) {
            Shell.Result copied = new Shell(Path.of(""), Map.of()).run(START, "cp", "-R", file, folder + "/");
            assertTrue(copied.succeeded(), copied::output);
        }
        String port = Integer.toString(FreePorts.find(1).get(0));
        Path log = folder.resolve("output.log");
        Process maven = new Shell(folder, Map.of("QUARKUS_HTTP_PORT", port))
                .start(log, "./mvnw", "-ntp", "quarkus:dev", "-Ddebug=false");
        try {
            Eventually.within(
                    START, () -> text(log), () -> text(log).contains("Open http://localhost:" + port + "/\n"));
            assertEquals(
                    List.of(),
                    UNEXPECTED
                            .matcher(text(log))
                            .results()
                            .map(line -> line.group())
                            .toList());
        } finally {
            maven.descendants().forEach(ProcessHandle::destroy);
            maven.destroy();
        }
    }

    private static String text(Path log) {
        return Files.exists(log) ? Document.read(log).text() : "";
    }
}
