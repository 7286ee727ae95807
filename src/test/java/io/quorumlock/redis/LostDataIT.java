// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeStatus;
import io.quorumlock.redis.FleetHistory.NodeHistory;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R9: nodes that lost acknowledged data. Their marker reveals this. */
class LostDataIT {
    private static final String[] KEEPS = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final String[] RESTRICTED =
            "--appendonly yes --appendfsync always --user service on nopass ~* &* +@all --user default on nopass ~* &* +@all -hset"
                    .split(" ");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(10);

    private List<RedisServer> servers = List.of();

    @AfterEach
    void stop() {
        RedisServers.close(servers);
    }

    @Test
    void quarantinesNodeThatLosesDataWhileRunning() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("FLUSHALL");
            awaitQuarantine(fleet, 0);
            assertEquals(2, fleet.fleet.up());
        }
    }

    @Test
    void quarantinesNodeWithDataOfAnotherNode() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            URI other = servers.get(1).url();
            servers.get(0).cli("REPLICAOF", other.getHost(), Integer.toString(other.getPort()));
            Eventually.within(SOON, "the data of the other node", () -> servers.get(0)
                    .cli("INFO", "replication")
                    .contains("master_link_status:up"));
            servers.get(0).cli("REPLICAOF", "NO", "ONE");
            awaitQuarantine(fleet, 0);
        }
    }

    /** According to the marker on disk and the configuration after the restart, every write is persisted. */
    @ParameterizedTest
    @CsvSource({"appendonly, no", "appendfsync, everysec"})
    void quarantinesNodeWithoutPersistenceBeforeRestart(String setting, String value) {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("CONFIG", "SET", setting, value);
            Eventually.within(SOON, "detected", () -> field(0, "keeps").equals("0"));
            servers.get(0).restart();
            awaitQuarantine(fleet, 0);
        }
    }

    @Test
    void quarantinesNodeRestoredFromBackup() throws IOException {
        servers = processes();
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            DataCopy copy = copy(0);
            Eventually.within(SOON, "up again", () -> fleet.fleet.up() == 3);
            long age = age(0);
            Eventually.within(SOON, "heartbeats", () -> age(0) > age);
            copy.restore();
            awaitQuarantine(fleet, 0);
        }
    }

    /** The replica has no memory of the node, but the other nodes have. */
    @Test
    void detectsRestoredBackupByOtherNodes() throws IOException {
        servers = processes();
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            DataCopy copy = copy(0);
            Eventually.within(SOON, "up again", () -> fleet.fleet.up() == 3);
            long age = age(0);
            Eventually.within(
                    SOON,
                    "known to the other nodes",
                    () -> knownAge(1, field(0, "id")) > age && knownAge(2, field(0, "id")) > age);
            fleet.fleet.close().join();
            copy.restore();
        }
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            awaitQuarantine(fleet, 0);
        }
    }

    /**
     * Some versions of Redis skip transactions when they load their append-only file, if the default user lacks
     * permission for their commands: https://github.com/redis/redis/issues/14541. No replica or other node remembers
     * these nodes.
     */
    @Test
    void quarantinesNodesThatSkippedTransactionsInTheirLog() {
        servers = RedisServers.start(3, RESTRICTED);
        URI[] urls = servers.stream()
                .map(server -> URI.create("redis://service:any@" + server.url().getAuthority()))
                .toArray(URI[]::new);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls)) {
            assertEquals(3, fleet.fleet.up());
            Eventually.within(SOON, "witnesses written", () -> IntStream.range(0, 3)
                    .noneMatch(node -> field(node, "witness").equals("(nil)")));
        }
        List<Long> before = IntStream.range(0, 3).mapToObj(this::age).toList();
        servers.forEach(RedisServer::restart);
        boolean kept = IntStream.range(0, 3)
                .mapToObj(node -> field(node, "age"))
                .toList()
                .equals(before.stream().map(Object::toString).toList());
        try (RealFleet fleet = RealFleet.guarded(LONG, urls)) {
            if (kept) {
                assertEquals(3, fleet.fleet.up());
            } else {
                IntStream.range(0, 3).forEach(node -> awaitQuarantine(fleet, node));
            }
        }
    }

    /** A node whose data can never be checked must not vote. */
    @Test
    void rejectsVotesOfUncheckableNode() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("ACL", "SETUSER", "default", "-pttl");
            Eventually.within(
                    SOON, "no vote", () -> status(fleet, 0).problem().equals(Optional.of(NodeFailure.NOAUTH)));
            assertEquals(2, fleet.fleet.up());
            servers.get(0).cli("ACL", "SETUSER", "default", "+pttl");
            Eventually.within(SOON, "the node votes again", () -> fleet.fleet.up() == 3);
        }
    }

    /** The clock was ahead, without detection, when the quarantine was written. */
    @Test
    void quarantineNeverExceedsItsLength() {
        servers = RedisServers.start(3, KEEPS);
        servers.forEach(server -> server.cli("SET", "quorumlock:quarantine/", "2000", "PX", "3602000"));
        try (RealFleet fleet = RealFleet.guarded(SHORT, urls())) {
            Eventually.within(SOON, "all vote", () -> fleet.fleet.up() == 3);
        }
    }

    @Test
    void quarantinesForLongestLeaseOfAnyReplica() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet lasting = RealFleet.guarded(LONG, urls())) {
            assertEquals(3, lasting.fleet.up());
        }
        try (RealFleet fleet = RealFleet.guarded(SHORT, urls())) {
            servers.get(0).cli("FLUSHALL");
            awaitQuarantine(fleet, 0);
            assertTrue(status(fleet, 0).quarantine().orElseThrow().compareTo(LONG.dividedBy(2)) > 0);
        }
    }

    @Test
    void extendsQuarantineForReplicaWithLongerLeases() {
        servers = RedisServers.start(3);
        try (RealFleet brief = RealFleet.guarded(SHORT, urls());
                RealFleet lasting = RealFleet.guarded(LONG, urls())) {
            Duration left = status(lasting, 0).quarantine().orElseThrow();
            assertTrue(left.compareTo(LONG.dividedBy(2)) > 0, left::toString);
            Eventually.within(
                    SOON,
                    "known to the other replica",
                    () -> status(brief, 0).quarantine().orElse(SHORT).compareTo(LONG.dividedBy(2)) > 0);
        }
    }

    private static List<RedisServer> processes() {
        return Stream.generate(() -> RedisServers.startProcess(UnaryOperator.identity(), KEEPS))
                .limit(3)
                .toList();
    }

    private DataCopy copy(int node) throws IOException {
        RedisServer server = servers.get(node);
        Path folder = Path.of(server.cli("CONFIG", "GET", "dir").replaceAll("[\\[\\]]|dir, ", ""));
        server.kill();
        DataCopy copy = DataCopy.of(server, folder);
        server.start();
        return copy;
    }

    private void awaitQuarantine(RealFleet fleet, int node) {
        Eventually.within(
                SOON, "quarantined", () -> status(fleet, node).quarantine().isPresent());
    }

    private String field(int node, String name) {
        return servers.get(node).cli("HGET", "quorumlock:marker/", name);
    }

    private long age(int node) {
        return Long.parseLong(field(node, "age"));
    }

    private long knownAge(int node, String id) {
        return NodeHistory.ages(field(node, "others")).getOrDefault(id, 0L);
    }

    private URI[] urls() {
        return servers.stream().map(RedisServer::url).toArray(URI[]::new);
    }

    private static NodeStatus status(RealFleet fleet, int node) {
        return fleet.fleet.nodes().get(node);
    }
}
