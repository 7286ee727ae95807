// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/masters.md and docs/upgrade.md, on masters that persist every write. */
@Tag("nightly")
class OperatorPagesIT {
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String COMPOSE = "docker compose ";
    private static final String JAR = "new/quarkus-run.jar";
    private static final Map<String, String> OPEN = Map.of("QUORUMLOCK_SECURITY_OPEN", "true");

    @TempDir
    Path folder;

    private List<RedisServer> masters;
    private Map<String, String> environment;
    private ServiceProcess service;

    @BeforeEach
    void start() {
        assumeTrue(Shell.has("curl"), "curl is not installed");
        masters = RedisServers.start(5, "--appendonly", "yes", "--appendfsync", "always");
        environment = ServiceProcess.guarded(ServiceProcess.nodes(masters), OPEN);
        service = ServiceProcess.startReady(environment);
        awaitVotes(5);
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
        }
        if (masters != null) {
            RedisServers.close(masters);
        }
    }

    /** The commands of Compose kill and start the masters of this test. */
    @Test
    void failureOfMastersLooksAsShown() {
        Transcript transcript =
                Transcript.of(Document.docs("masters.md").blocks("console")).at(service.uri());
        Shell shell = new Shell(folder, Map.of());
        int up = 5;
        for (Transcript.Step step : transcript.steps()) {
            if (step.command().startsWith(COMPOSE)) {
                List<String> words =
                        List.of(step.command().substring(COMPOSE.length()).split(" redis-"));
                boolean kill = words.get(0).equals("kill");
                words.stream().skip(1).map(Integer::parseInt).forEach(number -> change(kill, masters.get(number - 1)));
                up += (kill ? -1 : 1) * (words.size() - 1);
                awaitVotes(up);
            } else {
                step.check(shell.run(LONGEST, "sh", "-c", step.command()).output());
            }
        }
        assertEquals(3, up);
    }

    @Test
    void upgradeKeepsLease() throws IOException {
        List<String> commands = Document.docs("upgrade.md").blocks("sh");
        Shell shell = new Shell(folder, environment);
        String jar = " -Dquarkus.http.port=" + service.uri().getPort() + " -jar " + ServiceProcess.JAR.toAbsolutePath();
        String check = commands.get(0).replace(" -jar " + JAR, jar);
        Eventually.within(LONGEST, "the check finds all masters", () -> shell.run(LONGEST, "sh", "-c", check)
                .output()
                .contains("5 of 5 masters vote, 3 are required"));

        LockClient client = service.client();
        String token = client.acquire("upgrade", 60_000).token();
        Path pid = Files.writeString(
                folder.resolve("replica.pid"), service.handle().pid() + "\n");
        Shell.Result replaced = shell.run(
                LONGEST,
                "sh",
                "-ec",
                commands.get(1)
                        .replace(" -jar " + JAR, jar)
                        .replace(Transcript.DOCUMENTED, service.uri().toString()));
        ProcessHandle started =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        try {
            assertEquals(new Shell.Result(0, ""), replaced);
            assertEquals(200, client.extend("upgrade", token).status());
        } finally {
            started.destroyForcibly();
        }
    }

    private static void change(boolean kill, RedisServer master) {
        if (kill) {
            master.kill();
        } else {
            master.start();
        }
    }

    private void awaitVotes(int up) {
        Eventually.within(LONGEST, service::output, () -> service.client().nodesUp() == up);
    }
}
