// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServersTest {
    private static List<RedisServer> servers;

    private final RedisServer server = servers.get(0);
    private final RedisServer other = servers.get(1);

    @BeforeAll
    static void startServers() {
        servers = RedisServers.start(2, "--appendonly", "yes", "--appendfsync", "always");
    }

    @AfterAll
    static void closeServers() {
        RedisServers.close(servers);
    }

    @BeforeEach
    @AfterEach
    void startBoth() {
        servers.forEach(RedisServer::start);
    }

    @Test
    void serversShareNoData() {
        server.cli("SET", "lock:mine", "1");
        assertEquals("(nil)", other.cli("GET", "lock:mine"));
    }

    @Test
    void killedServerRefusesConnections() {
        server.kill();
        assertThrows(UncheckedIOException.class, () -> server.cli("PING"));
        assertEquals("PONG", other.cli("PING"));
    }

    @Test
    void restartedServerKeepsItsPort() {
        URI url = server.url();
        String run = runId();
        server.restart();
        assertEquals(url, server.url());
        assertTrue(!run.equals(runId()), "run_id is unchanged after a restart");
    }

    @Test
    void appendOnlyFileSurvivesCrash() {
        server.cli("SET", "fence:a", "7");
        server.restart();
        assertEquals("7", server.cli("GET", "fence:a"));
    }

    @Test
    void suspendedServerKeepsItsConnections() {
        String run = runId();
        try (RedisCli cli = RedisCli.connect(server.url())) {
            server.suspend();
            try (RedisCli impatient = RedisCli.connect(server.url(), Duration.ofMillis(100))) {
                assertThrows(UncheckedIOException.class, () -> impatient.send("PING"));
            }
            server.resume();
            assertEquals("PONG", cli.send("PING"));
        }
        assertEquals(run, runId());
    }

    @Test
    void killsSuspendedServers() {
        server.suspend();
        server.kill();
        server.start();
        assertEquals("PONG", server.cli("PING"));
    }

    @Test
    void cliReadsEveryTypeOfReply() {
        String script = "return {1, 'two', {redis.status_reply('three')}, false}";
        assertEquals("[1, two, [three], (nil)]", server.cli("EVAL", script, "0"));
        assertTrue(server.cli("NONSENSE").startsWith("(error) ERR unknown command"));
        assertEquals("é\r\n", server.cli("ECHO", "é\r\n"));
    }

    @Test
    void rejectsUnknownKindsOfRedis() {
        Exception refused = assertThrows(IllegalStateException.class, () -> RedisKind.forced("podman"));
        assertEquals("test.redis=podman: only docker, binary and embedded are allowed", refused.getMessage());
    }

    @Test
    void detectsMissingDockerEngine() {
        URI nowhere = URI.create("unix:///nonexistent/docker.sock");
        assertFalse(DockerEngine.answers(nowhere));
    }

    private String runId() {
        return server.cli("INFO", "server").replaceAll("(?s).*run_id:(\\w+).*", "$1");
    }
}
