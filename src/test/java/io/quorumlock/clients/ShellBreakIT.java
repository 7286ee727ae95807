// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.LocalService;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code quorumlock break} of one of several holders. */
@EnabledIf(value = "io.quorumlock.clients.ShellClient#isInstalled", disabledReason = "curl is not installed")
@Tag("nightly")
class ShellBreakIT {
    @TempDir
    Path folder;

    @Test
    void breaksOnlyLeasesOfGivenOwner() {
        try (LocalService service = LocalService.start()) {
            ShellClient client = new ShellClient(folder, service.uri());
            service.client().acquire("several?mode=shared&owner=ann%26co", 60_000);
            service.client().acquire("several?mode=shared&owner=bob", 60_000);
            String[] command = {"break", "--reason", "test", "--owner", "ann&co", "several"};
            assertEquals(new Shell.Result(0, ""), client.run(command));
            assertEquals(
                    "bob",
                    service.client().get("/locks/several").body().path("owner").asText());
            Shell.Result again = client.run(command);
            assertEquals(1, again.status(), again::output);
            assertTrue(again.output().contains("not held by ann&co"), again::output);
        }
    }
}
