// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The start script of a master. It sets up the documented user and hides its password. */
class StartOfMasterTest {
    private static final String SHA_256_OF_SECRET = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private static final Path FILES = Path.of("deploy/helm/quorumlock/files");

    @TempDir
    private Path folder;

    /** Installs a fake redis-server that prints its arguments and environment. */
    @BeforeEach
    void copyFiles() throws IOException {
        for (String file : new String[] {"start.sh", "redis.conf", "users.acl"}) {
            String text = Monitoring.text(FILES.resolve(file));
            Files.writeString(folder.resolve(file), text.replace("/tmp/users.acl", folder + "/used.acl"));
        }
        Path server = Files.writeString(folder.resolve("redis-server"), "#!/bin/sh\necho \"started with $*\"\nenv\n");
        assertTrue(server.toFile().setExecutable(true));
    }

    @Test
    void storesPasswordOnlyAsHash() throws IOException {
        Shell.Result start = start(Map.of("MASTERS_PASSWORD", "secret"));
        assertTrue(start.output().startsWith("started with " + folder + "/redis.conf --auto-aof"), start::output);
        assertFalse(start.output().contains("secret"), start::output);
        String documented = Files.readString(folder.resolve("users.acl"));
        assertEquals(
                documented.replace(">password", "#" + SHA_256_OF_SECRET), Files.readString(folder.resolve("used.acl")));
    }

    /** Otherwise all masters would rewrite their files in the same second, and no majority would answer. */
    @ParameterizedTest
    @CsvSource({
        "redis-1, 60, 70",
        "redis-2, 72, 80",
        "redis-5, 48, 60",
        "quorumlock-masters-0, 48, 60",
        "quorumlock-masters-4, 96, 100",
        "0a1b2c3d08, 84, 90",
        "redis, 48, 60"
    })
    void rewritesFileAtSizeThatDependsOnHost(String host, int size, int percentage) throws IOException {
        Path name = Files.writeString(folder.resolve("hostname"), "#!/bin/sh\necho " + host + "\n");
        assertTrue(name.toFile().setExecutable(true));
        Shell.Result start = start(Map.of("MASTERS_PASSWORD", "secret"));
        String options = " --auto-aof-rewrite-min-size %dmb --auto-aof-rewrite-percentage %d\n";
        assertTrue(start.output().contains("/redis.conf" + options.formatted(size, percentage)), start::output);
    }

    @Test
    void keepsEveryWrite() {
        List<String> settings =
                Monitoring.text(FILES.resolve("redis.conf")).lines().toList();
        assertTrue(settings.containsAll(List.of(
                "appendonly yes",
                "appendfsync always",
                "no-appendfsync-on-rewrite no",
                "maxmemory-policy noeviction",
                "aclfile /tmp/users.acl")));
    }

    @Test
    void acceptsSecondPassword() throws IOException {
        Shell.Result start = start(Map.of("MASTERS_PASSWORD", "new", "MASTERS_SECOND_PASSWORD", "secret"));
        assertFalse(start.output().contains("secret"), start::output);
        String users = Files.readString(folder.resolve("used.acl"));
        assertTrue(users.matches("(?s).*user quorumlock on #[0-9a-f]{64} #" + SHA_256_OF_SECRET + " ~lock:.*"), users);
    }

    @Test
    void refusesToStartWithoutPassword() {
        for (Map<String, String> environment : List.of(
                Map.<String, String>of(),
                Map.of("MASTERS_PASSWORD", ""),
                Map.of("MASTERS_SECOND_PASSWORD", "secret"))) {
            Shell.Result start = start(environment);
            assertFalse(start.succeeded());
            assertTrue(start.output().contains("MASTERS_PASSWORD"), start::output);
            assertFalse(start.output().contains("started"), start::output);
        }
    }

    private Shell.Result start(Map<String, String> environment) {
        String script = "PATH=%s:$PATH exec sh %s/start.sh".formatted(folder, folder);
        return new Shell(folder, environment).run(Duration.ofSeconds(30), "sh", "-c", script);
    }
}
