// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The change of the masters' password in docs/kubernetes.md. Replicas always reach a majority, running or just started. */
@Execution(ExecutionMode.CONCURRENT)
class PasswordChangeTest {
    private static final Path MASTERS = Path.of("deploy/helm/quorumlock/files");
    private static final int COUNT = 3;

    @TempDir
    private Path folder;

    private final List<RedisServer> masters = new ArrayList<>();

    @AfterEach
    void stop() {
        RedisServers.close(masters);
    }

    @Test
    void replicasAlwaysReachMajority() throws IOException {
        for (int i = 0; i < COUNT; i++) {
            writeUsers(i, Map.of("MASTERS_PASSWORD", "old"));
            masters.add(RedisServers.startProcess(UnaryOperator.identity(), "--aclfile", users(i).toString()));
        }
        try (RealFleet before = replica("old")) {
            assertEquals(COUNT, before.fleet.up());
            restartMasters(Map.of("MASTERS_PASSWORD", "old", "MASTERS_SECOND_PASSWORD", "new"), before, Set.of("old"));
            try (RealFleet after = replica("new")) {
                assertEquals(COUNT, after.fleet.up());
                Map<String, String> swapped = Map.of("MASTERS_PASSWORD", "new", "MASTERS_SECOND_PASSWORD", "old");
                restartMasters(swapped, before, Set.of("old", "new"));
                restartMasters(Map.of("MASTERS_PASSWORD", "new"), after, Set.of("new"));
            }
        }
        try (RealFleet stranger = replica("old")) {
            assertEquals(0, stranger.fleet.up());
            assertTrue(stranger.failures.stream().allMatch(ServerFailure.NOAUTH::equals), stranger.failures::toString);
        }
    }

    /** Restarts one master after the other. A replica that starts meanwhile has one of the given passwords. */
    private void restartMasters(Map<String, String> environment, RealFleet running, Set<String> passwords)
            throws IOException {
        for (int i = 0; i < COUNT; i++) {
            masters.get(i).kill();
            Eventually.holds("the restart is noticed", () -> running.fleet.up() == COUNT - 1);
            for (String password : passwords) {
                try (RealFleet started = replica(password)) {
                    assertEquals(COUNT - 1, started.fleet.up(), password);
                }
            }
            writeUsers(i, environment);
            masters.get(i).start();
            Eventually.holds("the master votes again", () -> running.fleet.up() == COUNT);
        }
    }

    private RealFleet replica(String password) {
        String login = "redis://quorumlock:" + password + "@";
        return new RealFleet(masters.stream()
                .map(master -> URI.create(master.url().toString().replace("redis://", login)))
                .toArray(URI[]::new));
    }

    /** Writes the users of a master as its start script does. */
    private void writeUsers(int master, Map<String, String> passwords) throws IOException {
        Path own = Files.createDirectories(users(master).getParent());
        for (String file : List.of("start.sh", "redis.conf", "users.acl")) {
            String text = Monitoring.text(MASTERS.resolve(file));
            Files.writeString(
                    own.resolve(file),
                    text.replace("/tmp/users.acl", users(master).toString()));
        }
        Path server = Files.writeString(own.resolve("redis-server"), "#!/bin/sh\n");
        assertTrue(server.toFile().setExecutable(true));
        Map<String, String> environment = new HashMap<>(passwords);
        environment.put("PATH", own + ":" + System.getenv("PATH"));
        Shell.Result started = new Shell(own, environment).run(Duration.ofSeconds(30), "sh", own + "/start.sh");
        assertTrue(started.succeeded(), started::output);
    }

    private Path users(int master) {
        return folder.resolve("master-" + master).resolve("used.acl");
    }
}
