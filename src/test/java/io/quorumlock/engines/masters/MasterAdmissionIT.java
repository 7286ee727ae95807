// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.StubRedis;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: masters that may have lost votes. They do not vote until the loss is harmless. */
@Order(1)
@Proves({"R2", "R9"})
class MasterAdmissionIT {
    private static final String[] KEEPS = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Tests see its begin and its end. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private static final ResourceName RESOURCE = new ResourceName("guarded");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");

    private List<RedisServer> servers = List.of();

    @AfterEach
    void stop() {
        RedisServers.close(servers);
    }

    @Test
    void newPersistentFleetVotesAtOnce() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            assertEquals(3, fleet.fleet.up());
        }
    }

    @Test
    void volatileFleetWaitsForQuarantine() {
        servers = RedisServers.start(3);
        try (RealFleet fleet = RealFleet.forgetful(SHORT, urls())) {
            assertEquals(
                    Optional.of(ServerFailure.QUARANTINED), status(fleet, 0).problem());
            assertTrue(status(fleet, 0).quarantine().orElseThrow().compareTo(SHORT) <= 0);
            assertEquals(new MasterReply.Failed(ServerFailure.QUARANTINED, false), acquire(fleet));
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
        }
    }

    @Test
    void doesNotQuarantineRestartWithAllWrites() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            acquire(fleet);
            servers.get(0).restart();
            Eventually.holds("the node votes", () -> status(fleet, 0).restarts() == 1 && fleet.fleet.up() == 3);
            assertInstanceOf(MasterReply.Extended.class, fleet.ask(Ask.extend(RESOURCE, TOKEN, LONG)));
        }
    }

    @Test
    void quarantinesMasterThatReturnsEmpty() {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).killAndEmpty();
            servers.get(0).start();
            Eventually.holds("quarantined", () -> status(fleet, 0).quarantine().isPresent());
            assertEquals(2, fleet.fleet.up());
            assertEquals(new MasterReply.Failed(ServerFailure.QUARANTINED, false), acquire(fleet));
            assertInstanceOf(MasterReply.Absent.class, fleet.ask(Ask.release(RESOURCE, TOKEN)));
        }
    }

    /** A snapshot restores old locks and the old marker, but no later writes. */
    @Test
    void quarantinesMasterWithSnapshotsAfterRestart() {
        servers = RedisServers.start(3);
        try (RealFleet fleet = RealFleet.forgetful(SHORT, urls())) {
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
            servers.get(0).cli("SAVE");
            servers.get(0).restart();
            Eventually.holds("quarantined", () -> status(fleet, 0).quarantine().isPresent());
        }
    }

    /** The quarantine is stored on the master, so that replicas without earlier contact know it. */
    @Test
    void otherReplicaSeesSameQuarantine() {
        servers = RedisServers.start(3);
        try (RealFleet one = RealFleet.forgetful(LONG, urls())) {
            assertTrue(status(one, 1).quarantine().isPresent());
            // A quarantine of its own would be longer.
            Duration left = LONG.dividedBy(2);
            String shortened = servers.get(1).cli("PEXPIRE", "quorumlock:quarantine/", Long.toString(left.toMillis()));
            assertEquals("1", shortened);
            try (RealFleet two = RealFleet.forgetful(LONG, urls())) {
                Duration second = status(two, 1).quarantine().orElseThrow();
                assertTrue(second.compareTo(left) <= 0, second::toString);
            }
        }
    }

    /** R2: replicas with different lists of masters would have disjoint quorums. */
    @Test
    @Tag("nightly")
    void refusesReplicaWithAnotherListOfMasters() {
        servers = RedisServers.start(4, KEEPS);
        URI[] first = {urls()[0]};
        URI[] others = {urls()[0], urls()[1], urls()[2]};
        try (RealFleet one = RealFleet.guarded(SHORT, first);
                RealFleet three = RealFleet.guarded(SHORT, others)) {
            assertEquals(1, one.fleet.up());
            Eventually.holds("refused", () -> isRefused(three, 0) && isRefused(three, 1) && isRefused(three, 2));
            String detail = status(three, 0).detail().orElseThrow();
            assertTrue(detail.contains("the masters " + MasterAddress.list(addresses(first)) + ","), detail);
            assertTrue(detail.contains("QUORUMLOCK_NODES has " + MasterAddress.list(addresses(others)) + ";"), detail);
            one.fleet.close().join();
            Eventually.holds("all vote", () -> three.fleet.up() == 3);
        }
    }

    /** A check of wrong settings must not exclude the right ones. */
    @Test
    void readOnlyReplicaLeavesNothingOnMasters() {
        servers = RedisServers.start(3, KEEPS);
        URI[] wrong = {urls()[0]};
        try (RealFleet check = RealFleet.guarded(new RestartGuard(true, true, LONG, true), wrong)) {
            assertEquals(
                    Optional.of(ServerFailure.QUARANTINED), status(check, 0).problem());
            assertEquals("0", servers.get(0).cli("DBSIZE"));
        }
        try (RealFleet right = RealFleet.guarded(LONG, urls())) {
            assertEquals(3, right.fleet.up());
            try (RealFleet check = RealFleet.guarded(new RestartGuard(true, true, LONG, true), urls());
                    RealFleet other = RealFleet.guarded(new RestartGuard(true, true, LONG, true), wrong)) {
                assertEquals(3, check.fleet.up());
                assertTrue(isRefused(other, 0));
            }
        }
    }

    private static boolean isRefused(RealFleet fleet, int master) {
        return status(fleet, master).problem().equals(Optional.of(ServerFailure.REFUSED));
    }

    private static List<MasterAddress> addresses(URI... urls) {
        return Stream.of(urls).map(url -> new MasterAddress(url.toString())).toList();
    }

    /** The order and the password are no difference. */
    @Test
    void acceptsSameListOfMasters() {
        servers = RedisServers.start(3, KEEPS);
        URI[] urls = urls();
        URI[] reversed = {URI.create("redis://default:any@" + urls[2].getAuthority()), urls[1], urls[0]};
        try (RealFleet one = RealFleet.guarded(LONG, urls);
                RealFleet other = RealFleet.guarded(LONG, reversed)) {
            assertEquals(3, one.fleet.up());
            assertEquals(3, other.fleet.up());
        }
    }

    /** A master cannot decide while it loads its data. It must not be refused for this. */
    @Test
    @Tag("nightly")
    void retriesMasterThatIsLoading() {
        try (StubRedis redis = new StubRedis()
                        .withInfo("role:master", "redis_mode:standalone", "redis_version:7.0.15")
                        .answeringConfig("-LOADING Redis is loading the dataset in memory\r\n")
                        .answering(StubRedis.admitted(60_000));
                RealFleet fleet = RealFleet.guarded(LONG, redis.url())) {
            // On a busy machine, the first question is not answered in time.
            Eventually.holds("loading", () -> status(fleet, 0).problem().equals(Optional.of(ServerFailure.LOADING)));
            redis.answeringConfig("-NOPERM this user has no permissions\r\n");
            Eventually.holds("refused", () -> isRefused(fleet, 0));
            assertEquals(
                    Optional.of("does not show whether it persists every write (NOPERM this user has no permissions);"
                            + " permit CONFIG GET, or remove QUORUMLOCK_MASTERS_PERSIST"),
                    status(fleet, 0).detail());
        }
    }

    /** The longest TTL with masters-persist is an hour, and so would be the quarantine. */
    @Test
    @Tag("nightly")
    void refusesMasterThatDoesNotPersistContraryToSetting() {
        servers = RedisServers.start(3, KEEPS);
        servers.get(0).cli("CONFIG", "SET", "appendfsync", "everysec");
        servers.get(1).cli("CONFIG", "SET", "appendonly", "no");
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            assertTrue(isRefused(fleet, 0) && isRefused(fleet, 1));
            assertEquals(
                    Optional.of("has appendfsync everysec; set appendonly yes, appendfsync always and"
                            + " no-appendfsync-on-rewrite no on all masters, or remove QUORUMLOCK_MASTERS_PERSIST"),
                    status(fleet, 0).detail());
            assertTrue(status(fleet, 1).detail().orElseThrow().startsWith("has appendonly no;"));
            assertEquals("0", servers.get(0).cli("DBSIZE"));
            assertEquals("0", servers.get(1).cli("DBSIZE"));
            servers.get(0).cli("CONFIG", "SET", "appendfsync", "always");
            servers.get(1).cli("CONFIG", "SET", "appendonly", "yes");
            Eventually.holds("all vote", () -> fleet.fleet.up() == 3);
        }
    }

    @Test
    void quarantinesMasterWithSteppedClock() {
        try (StubRedis redis = new StubRedis()
                        .answering(StubRedis.admitted(0))
                        .answeringTo("stepped", StubRedis.admitted(60_000));
                RealFleet fleet = RealFleet.forgetful(LONG, redis.url())) {
            Eventually.holds(
                    "a first heartbeat", () -> status(fleet, 0).clockOffset().isPresent());
            assertEquals(1, fleet.fleet.up());
            redis.stepClock(Duration.ofHours(1));
            Eventually.holds("quarantined", () -> status(fleet, 0).quarantine().isPresent());
        }
    }

    /** Locks of the master may have expired early, so a vote in the same batch as the reading must not count. */
    @Test
    void doesNotCountVoteAfterClockStep() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.admitted(0)).answeringTo("lock:guarded", ":1\r\n");
                RealFleet fleet = RealFleet.forgetful(LONG, redis.url())) {
            assertInstanceOf(MasterReply.Granted.class, acquire(fleet));
            redis.stepClock(Duration.ofMillis(500));
            assertEquals(new MasterReply.Failed(ServerFailure.QUARANTINED, true), acquire(fleet));
        }
    }

    /** Only the confirmed quarantine ends the suspicion, not a new connection. */
    @Test
    void keepsSuspicionAfterReconnect() {
        try (StubRedis redis =
                        new StubRedis().answering(StubRedis.admitted(0)).answeringTo("stepped", StubRedis.HANG_UP);
                RealFleet fleet = RealFleet.forgetful(LONG, redis.url())) {
            Eventually.holds(
                    "a first heartbeat", () -> status(fleet, 0).clockOffset().isPresent());
            redis.stepClock(Duration.ofHours(1));
            Eventually.holds("queried on each connection", () -> redis.connections() >= 3);
            assertEquals(0, fleet.fleet.up());
            redis.answeringTo("stepped", StubRedis.admitted(60_000));
            Eventually.holds("quarantined", () -> status(fleet, 0).quarantine().isPresent());
        }
    }

    /** With an empty lock prefix, a lock can have any resource name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "quorumlock:marker",
                "quorumlock:quarantine",
                "quorumlock:masters",
                "quorumlock:longest",
                "quorumlock:nothing"
            })
    void guardKeysAreNotValidLockNames(String name) {
        servers = RedisServers.start(3, KEEPS);
        try (RealFleet fleet = RealFleet.guarded(LONG, urls())) {
            servers.get(0).cli("SET", name, "the value of a lock", "PX", "30000");
            servers.get(0).restart();
            Eventually.holds("the node votes", () -> status(fleet, 0).restarts() == 1 && fleet.fleet.up() == 3);
            assertThrows(IllegalArgumentException.class, () -> new ResourceName(name + "/"));
        }
    }

    private URI[] urls() {
        return servers.stream().map(RedisServer::url).toArray(URI[]::new);
    }

    private static ServerStatus status(RealFleet fleet, int master) {
        return fleet.fleet.servers().get(master);
    }

    private static MasterReply acquire(RealFleet fleet) {
        return fleet.ask(Ask.acquire(RESOURCE, TOKEN, "a1", LONG, Optional.empty()));
    }
}
