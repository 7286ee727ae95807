// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/use/shell.md on a running service: its transcript, and its crontab with the environment of cron. */
@QuarkusTest
class ShellPageTest {
    private static final Document PAGE = Document.docs("use/shell.md");
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int HELD = 75;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    @BeforeEach
    void requireCurl() {
        assumeTrue(Shell.has("curl"), "curl is not installed");
    }

    @Test
    void transcriptShowsRealOutput() {
        Transcript.of(PAGE.blocks("console")).at(service).run(new Shell(folder, Map.of()));
    }

    @Test
    void cronJobTakesTurnsAndReleases() throws IOException {
        install("quorumlock", Files.readString(Path.of("clients/shell/quorumlock")));
        install("cleanup", "#!/bin/sh\necho cleaned up\n");
        assertEquals(new Shell.Result(0, "cleaned up\n"), cron());
        LockClient client = new LockClient(service);
        LockClient.Answer other = client.acquire("cleanup?owner=other", 60_000);
        Shell.Result held = cron();
        assertEquals(HELD, held.status(), held::output);
        assertEquals(1, held.output().lines().count(), held::output);
        assertTrue(held.output().contains("other"), held::output);
        assertEquals(204, client.release("cleanup", other.token()).status());
        assertEquals(new Shell.Result(0, "cleaned up\n"), cron());
    }

    /** Runs the line of the crontab as cron does: in /bin/sh, with few variables. */
    private Shell.Result cron() {
        List<String> crontab = PAGE.blocks("crontab").get(0).lines().toList();
        assertEquals(2, crontab.size());
        String setting = crontab.get(0).replace(Transcript.DOCUMENTED, "http://localhost:" + service.getPort());
        String command = crontab.get(1).split(" ", 6)[5].replace("/usr/local/bin", folder.toString());
        return new Shell(folder, Map.of())
                .run(
                        Eventually.LONGEST,
                        "env",
                        "-i",
                        "PATH=/usr/bin:/bin",
                        "HOME=" + folder,
                        setting,
                        "/bin/sh",
                        "-c",
                        command);
    }

    private void install(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        assertTrue(file.toFile().setExecutable(true));
    }
}
