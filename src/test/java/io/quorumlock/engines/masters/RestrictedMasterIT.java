// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Masters that are connected but refuse writes or commands. Redis' words are in the status and in one line of the log. */
class RestrictedMasterIT {
    private static final String[] KEEPS = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final Logger LINKS = Logger.getLogger(LinkLog.class.getName());
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SECONDS = Duration.ofSeconds(3);
    private static final ResourceName RESOURCE = new ResourceName("restricted");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");

    private final Lines lines = new Lines();
    private List<RedisServer> servers = List.of();

    @BeforeEach
    void listen() {
        LINKS.addHandler(lines);
    }

    @AfterEach
    void stop() {
        LINKS.removeHandler(lines);
        RedisServers.close(servers);
    }

    @Test
    void fullMasterCountsAsDownUntilItAcceptsWrites() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(TTL, urls())) {
            awaitUp(fleet, 3);
            assertInstanceOf(MasterReply.Granted.class, acquire(fleet));
            servers.get(0).cli("CONFIG", "SET", "maxmemory", "1");
            awaitUp(fleet, 2);
            String words = "OOM command not allowed when used memory > 'maxmemory'.";
            assertEquals(Optional.of(ServerFailure.OOM), status(fleet).problem());
            assertEquals(Optional.of(words), status(fleet).detail());
            assertInstanceOf(MasterReply.Deleted.class, fleet.ask(Ask.release(RESOURCE, TOKEN)));
            assertEquals(new MasterReply.Failed(ServerFailure.OOM, true), acquire(fleet));
            assertFalse(status(fleet).up());
            awaitHeartbeats();
            servers.get(0).cli("CONFIG", "SET", "maxmemory", "0");
            awaitUp(fleet, 3);
            awaitHeartbeats();
            assertLines("master up", "master down reason=oom (" + words + ")", "master up");
        }
    }

    /** The directory has the name of the file that Redis writes. */
    @Test
    void masterThatCannotSaveCountsAsDownUntilItCan() throws IOException {
        servers = RedisServers.start(3);
        servers.get(0).cli("CONFIG", "SET", "save", "3600 1000000");
        try (RealFleet fleet = RealFleet.forgetful(Duration.ofMillis(500), urls())) {
            awaitUp(fleet, 3);
            String folder = servers.get(0).cli("CONFIG", "GET", "dir").replaceAll("^\\[dir, |\\]$", "");
            Path occupied = Files.createDirectory(Path.of(folder, "dump.rdb"));
            servers.get(0).cli("BGSAVE");
            awaitUp(fleet, 2);
            assertEquals(Optional.of(ServerFailure.MISCONF), status(fleet).problem());
            assertTrue(status(fleet).detail().orElseThrow().startsWith("MISCONF "), status(fleet)::toString);
            Files.delete(occupied);
            servers.get(0).cli("BGSAVE");
            awaitUp(fleet, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EVALSHA", "SCRIPT"})
    void namesMissingCommandOnce(String command) {
        servers = RedisServers.start(1, "--rename-command", command, "");
        try (RealFleet fleet = RealFleet.forgetful(TTL, urls())) {
            awaitHeartbeats();
            String words = "ERR unknown command .(?i)" + command
                    + ".; permit the commands that SECURITY.md lists, under their own names";
            Eventually.holds("down", () -> status(fleet).detail().orElseThrow().matches(words));
            assertOneLine("master down reason=error \\(" + words + "\\)");
        }
    }

    @Test
    void namesMissingConfigCommandOnce() {
        servers = RedisServers.start(1, "--rename-command", "CONFIG", "");
        try (RealFleet fleet = RealFleet.guarded(TTL, urls())) {
            awaitHeartbeats();
            assertEquals(Optional.of(ServerFailure.REFUSED), status(fleet).problem());
            assertOneLine(
                    "master refused reason=\"does not show whether it persists every write"
                            + " \\(ERR unknown command .(?i)config.\\); permit CONFIG GET, or remove QUORUMLOCK_MASTERS_PERSIST\"");
        }
    }

    @Test
    void namesLimitOfClientsOnce() throws IOException {
        servers = RedisServers.start(1);
        URI server = servers.get(0).url();
        try (Socket other = new Socket(server.getHost(), server.getPort())) {
            other.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals('+', other.getInputStream().read());
            servers.get(0).cli("CONFIG", "SET", "maxclients", "1");
            try (RealFleet fleet = RealFleet.forgetful(TTL, urls())) {
                String words = "ERR max number of clients reached; raise maxclients";
                Eventually.holds("down", () -> status(fleet).detail().equals(Optional.of(words)));
                assertOneLine("master down reason=error \\(" + words + "\\)");
            }
        }
    }

    private void assertOneLine(String expected) {
        assertEquals(1, lines.all.size(), lines.all::toString);
        assertTrue(lines.all.peek().matches(expected), lines.all::toString);
    }

    /** Waits until the service has checked the first master several times. */
    private void awaitHeartbeats() {
        long before = commands();
        Eventually.within(SECONDS.multipliedBy(5), "more commands", () -> commands() > before + 20);
    }

    private long commands() {
        String stats = servers.get(0).cli("INFO", "stats");
        return Long.parseLong(stats.replaceAll("(?s).*total_commands_processed:(\\d+).*", "$1"));
    }

    private void assertLines(String... expected) {
        assertEquals(List.of(expected), List.copyOf(lines.all));
    }

    private void awaitUp(RealFleet fleet, int masters) {
        Eventually.holds(masters + " are up", () -> fleet.fleet.up() == masters);
    }

    private URI[] urls() {
        return servers.stream().map(RedisServer::url).toArray(URI[]::new);
    }

    private static ServerStatus status(RealFleet fleet) {
        return fleet.fleet.servers().get(0);
    }

    private static MasterReply acquire(RealFleet fleet) {
        return fleet.ask(Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty()));
    }

    /** The log lines about the first server, without its name. Other tests log at the same time. */
    private final class Lines extends Handler {
        private final Queue<String> all = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord line) {
            String text = String.format(line.getMessage(), line.getParameters());
            String server = " node=node-1 server=127.0.0.1:"
                    + (servers.isEmpty() ? "" : servers.get(0).url().getPort());
            if (text.contains(server + " ") || text.endsWith(server)) {
                all.add(text.replace(server, ""));
            }
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
