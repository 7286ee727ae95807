// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.JavaCommand;
import io.quorumlock.testing.RedisCli;
import java.io.BufferedReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedMastersTest {

    @Test
    void startsFiveIndependentMasters() {
        try (EmbeddedMasters masters = EmbeddedMasters.start(5)) {
            assertEquals(5, masters.urls().stream().distinct().count());
            for (URI url : masters.urls()) {
                assertEquals("(nil)", send(url, "GET", "lock:a"));
                assertEquals("OK", send(url, "SET", "lock:a", "1"));
            }
        }
    }

    @Test
    void neitherPersistsNorEvicts() {
        try (EmbeddedMasters masters = EmbeddedMasters.start(1)) {
            URI url = masters.urls().get(0);
            assertEquals("[save, ]", send(url, "CONFIG", "GET", "save"));
            assertEquals("[appendonly, no]", send(url, "CONFIG", "GET", "appendonly"));
            assertEquals("[maxmemory-policy, noeviction]", send(url, "CONFIG", "GET", "maxmemory-policy"));
            assertEquals("[bind, 127.0.0.1]", send(url, "CONFIG", "GET", "bind"));
        }
    }

    @Test
    void closeRemovesProcessesAndFolder() throws Exception {
        EmbeddedMasters masters = EmbeddedMasters.start(5);
        List<ProcessHandle> servers = masters.processes().stream()
                .map(process -> ProcessHandle.of(process.pid()).orElseThrow())
                .toList();
        masters.close();
        masters.close();
        awaitEnd(servers);
        assertFalse(Files.exists(masters.folder()));
    }

    @Test
    void keepsOtherMastersIfOneEnds() {
        try (EmbeddedMasters masters = EmbeddedMasters.start(2)) {
            RedisProcess first = masters.processes().get(0);
            RedisProcess second = masters.processes().get(1);
            first.close();
            assertFalse(first.isAlive());
            assertTrue(second.isAlive());
            assertEquals("PONG", send(second.url(), "PING"));
        }
    }

    @Test
    void stopsMastersIfTheirJvmEnds() throws Exception {
        List<String> owner = JavaCommand.of("-cp", JavaCommand.classPath(), MastersMain.class.getName());
        Process jvm = new ProcessBuilder(owner)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = jvm.inputReader(StandardCharsets.UTF_8);
        Path folder = Path.of(said.readLine());
        List<ProcessHandle> servers = Stream.of(said.readLine().split(" "))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
        jvm.destroy();
        assertEquals(143, jvm.waitFor());
        assertEquals(5, servers.size());
        Eventually.holds(servers::toString, () -> servers.stream().noneMatch(ProcessHandle::isAlive));
        assertFalse(Files.exists(folder));
    }

    @Test
    void reportsWhyAServerCannotStart(@TempDir Path folder) {
        Path missing = folder.resolve("no-such-server");
        Exception failure = assertThrows(
                IllegalStateException.class,
                () -> RedisProcess.start(missing, folder, FreePorts.find(1).get(0)));
        assertTrue(failure.getMessage().contains("no-such-server"), failure.getMessage());
    }

    @Test
    void detectsAnotherServerOnThePort(@TempDir Path folder) {
        try (EmbeddedMasters masters = EmbeddedMasters.start(1)) {
            Path executable = RedisBinary.find(folder);
            int taken = masters.urls().get(0).getPort();
            Exception failure =
                    assertThrows(IllegalStateException.class, () -> RedisProcess.start(executable, folder, taken));
            assertTrue(failure.getMessage().contains("Address already in use"), failure.getMessage());
        }
    }

    @Test
    void runsTheBundledServer(@TempDir Path folder) {
        Path bundled = RedisBinary.bundled(folder);
        try (RedisProcess server =
                RedisProcess.start(bundled, folder, FreePorts.find(1).get(0))) {
            assertEquals("PONG", send(server.url(), "PING"));
        }
    }

    private static String send(URI url, String... command) {
        try (RedisCli cli = RedisCli.connect(url)) {
            return String.valueOf(cli.send(command));
        }
    }

    private static void awaitEnd(List<ProcessHandle> servers) throws Exception {
        for (ProcessHandle server : servers) {
            server.onExit().get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
