// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** R9: masters that lost acknowledged data. Their marker reveals this. */
@Order(1)
@Proves("R9")
class LostDataIT {
    private static final String[] KEEPS = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Tests see its begin and its end. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private List<RedisServer> servers = List.of();

    @AfterEach
    void stop() {
        RedisServers.close(servers);
    }

    @Test
    void quarantinesMasterThatLosesDataWhileRunning() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("FLUSHALL");
            awaitQuarantine(fleet, 0);
            assertEquals(2, fleet.fleet.up());
        }
    }

    /** The marker is that of another process. */
    @Test
    void quarantinesMasterWithDataOfAnotherMaster() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.forgetful(SHORT, urls())) {
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
            replicate(0, 1);
            servers.get(0).cli("REPLICAOF", "NO", "ONE");
            awaitQuarantine(fleet, 0);
        }
    }

    /** A failover tool does so. With the promise that masters persist every write, the marker of another process is not enough. */
    @Test
    void quarantinesMasterThatWasReplicaOfAnotherMaster() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
            replicate(0, 1);
            Eventually.holds("refused", () -> status(fleet, 0).problem().equals(Optional.of(ServerFailure.REFUSED)));
            assertEquals(
                    Optional.of("is not a master but a slave; use independent masters"),
                    status(fleet, 0).detail());
            servers.get(0).cli("REPLICAOF", "NO", "ONE");
            awaitQuarantine(fleet, 0);
            assertEquals(2, fleet.fleet.up());
        }
    }

    private void replicate(int replica, int master) {
        URI other = servers.get(master).url();
        servers.get(replica).cli("REPLICAOF", other.getHost(), Integer.toString(other.getPort()));
        Eventually.holds(
                "the data of the other node",
                () -> servers.get(replica).cli("INFO", "replication").contains("master_link_status:up"));
    }

    /** The operator did not promise that the masters always persist every write. */
    @Test
    void quarantinesRestartedMasterWithoutPromise() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.forgetful(SHORT, urls())) {
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
            servers.get(0).restart();
            awaitQuarantine(fleet, 0);
        }
    }

    /** The other masters have a marker, so the master that is new is not part of a new fleet. */
    @Test
    void quarantinesNewMasterOfRunningFleet() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            assertEquals(3, fleet.fleet.up());
        }
        servers.get(0).cli("FLUSHALL");
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            awaitQuarantine(fleet, 0);
            assertEquals(2, fleet.fleet.up());
        }
    }

    /** A master whose data can never be checked must not vote. */
    @Test
    void rejectsVotesOfUncheckableMaster() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("ACL", "SETUSER", "default", "-pttl");
            Eventually.holds("no vote", () -> status(fleet, 0).problem().equals(Optional.of(ServerFailure.NOAUTH)));
            assertEquals(2, fleet.fleet.up());
            servers.get(0).cli("ACL", "SETUSER", "default", "+pttl");
            Eventually.holds("the node votes again", () -> fleet.fleet.up() == 3);
        }
    }

    /** A master with the marker of its process would vote without a quarantine. */
    @Test
    @Tag("nightly")
    void writesNoMarkerWithoutQuarantine() {
        servers = RedisServers.start(3);
        servers.get(0).cli("ACL", "SETUSER", "default", "-set");
        try (RealFleet fleet = RealFleet.forgetful(SHORT, urls())) {
            Eventually.holds("no vote", () -> status(fleet, 0).problem().equals(Optional.of(ServerFailure.NOAUTH)));
            assertEquals("0", servers.get(0).cli("EXISTS", "quorumlock:marker/"));
            servers.get(0).cli("ACL", "SETUSER", "default", "+set");
            awaitQuarantine(fleet, 0);
        }
    }

    /** The clock was ahead, without detection, when the quarantine was written. */
    @Test
    void quarantineNeverExceedsItsLength() {
        servers = RedisServers.start(3, KEEPS);
        servers.forEach(server -> server.cli("SET", "quorumlock:quarantine/", "2000", "PX", "3602000"));
        try (RealFleet fleet = RealFleet.guarded(SHORT, urls())) {
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
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
        try (RealFleet brief = RealFleet.forgetful(SHORT, urls());
                RealFleet lasting = RealFleet.forgetful(LONG, urls())) {
            Duration left = status(lasting, 0).quarantine().orElseThrow();
            assertTrue(left.compareTo(LONG.dividedBy(2)) > 0, left::toString);
            Eventually.holds(
                    "known to the other replica",
                    () -> status(brief, 0).quarantine().orElse(SHORT).compareTo(LONG.dividedBy(2)) > 0);
        }
    }

    private void awaitQuarantine(RealFleet fleet, int master) {
        Eventually.holds("quarantined", () -> status(fleet, master).quarantine().isPresent());
    }

    private URI[] urls() {
        return servers.stream().map(RedisServer::url).toArray(URI[]::new);
    }

    private static ServerStatus status(RealFleet fleet, int master) {
        return fleet.fleet.servers().get(master);
    }
}
