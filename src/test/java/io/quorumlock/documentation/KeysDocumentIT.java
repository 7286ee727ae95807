// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/security.md that make a key and send it, and the file with its rules. */
@Tag("nightly")
class KeysDocumentIT {
    private static final Document PAGE = Document.docs("security.md");

    @TempDir
    Path folder;

    @Test
    void keyWorksByTheRulesOfItsFile() throws IOException {
        assumeTrue(Shell.has("openssl") && Shell.has("curl"), "openssl or curl is not installed");
        List<String> commands = PAGE.blocks("sh");
        List<String> made =
                run(Map.of(), commands.get(0) + "printf %s \"$KEY\"").lines().toList();
        String key = made.get(1);
        try (SecuredService service = SecuredService.start(folder)) {
            Path file = folder.resolve("keys.json");
            Files.writeString(file, PAGE.blocks("json").get(0).replaceFirst("[0-9a-f]{64}", made.get(0)));
            LockClient billing = service.replica().client().withKey(key);
            Eventually.within(
                    Eventually.LONGEST,
                    "the service reads the file",
                    () -> billing.get("/locks/billing/1").status() != 401);
            String answers = run(Map.of("KEY", key), service.localized(commands.get(1)));
            assertEquals(List.of("201", "423"), statuses(answers), answers);
            assertEquals(404, billing.get("/locks/billing/archive/1").status());
            assertEquals(403, billing.acquire("billing/archive/1", 1_000).status());
            assertEquals(403, billing.acquire("billing2", 1_000).status());
        }
    }

    private String run(Map<String, String> environment, String commands) {
        return new Shell(folder, environment)
                .run(Eventually.LONGEST, "sh", "-c", commands)
                .output();
    }

    private static List<String> statuses(String answers) {
        List<String> found = new ArrayList<>();
        Pattern.compile("HTTP/1.1 ([0-9]+)").matcher(answers).results().forEach(match -> found.add(match.group(1)));
        return found;
    }
}
