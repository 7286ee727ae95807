// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.StubRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Proves({"R2", "R8", "R14"})
class MasterLinkIT {
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
    private static final Ask ACQUIRE = Ask.acquire(
            new ResourceName("link"),
            new LeaseToken("token-of-client-A"),
            "a1",
            Duration.ofSeconds(10),
            Optional.empty());

    @ParameterizedTest
    @CsvSource({
        "-LOADING Redis is loading the dataset in memory, LOADING",
        "-NOAUTH Authentication required., NOAUTH",
        "-NOPERM this user has no permissions, NOAUTH",
        "-READONLY You can't write against a read only replica., READONLY",
        "-MISCONF Redis is configured to save RDB snapshots, MISCONF",
        "-BUSY Redis is busy running a script, BUSY",
        "-OOM command not allowed when used memory > 'maxmemory'., OOM",
        "-ERR something new, ERROR",
        ":0, GARBAGE",
        "+OK, GARBAGE",
        "*0, GARBAGE",
        "@nonsense, GARBAGE",
        "HTTP/1.1 400 Bad Request, GARBAGE"
    })
    void failedVoteHasReason(String line, ServerFailure reason) {
        try (StubRedis redis = new StubRedis().answering(line + "\r\n");
                RealFleet fleet = new RealFleet(redis.url())) {
            assertEquals(new Failed(reason, true), ask(fleet));
            assertTrue(fleet.failures.contains(reason));
        }
    }

    @Test
    void reconnectsToSilentMasterAfterDeadline() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.SILENCE);
                RealFleet fleet = new RealFleet(redis.url())) {
            assertEquals(new Failed(ServerFailure.TIMEOUT, true), ask(fleet));
            Eventually.holds("a new connection", () -> redis.connections() >= 2);
            redis.answering(":1\r\n");
            Eventually.holds("a vote", () -> ask(fleet) instanceof Granted);
        }
    }

    /** R14: timed-out commands do not stay in the queue. */
    @Test
    void removesTimedOutCommandsFromQueue() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.SILENCE);
                RealFleet fleet = RealFleet.withShortTimeout(redis.url())) {
            int most = LinkSettings.QUEUE - 10; // Heartbeats have places in the queue, too.
            askMany(fleet, most);
            List<MasterReply> later = askMany(fleet, most);
            assertEquals(Set.of(new Failed(ServerFailure.TIMEOUT, false)), Set.copyOf(later));
        }
    }

    /** R8: commands sent before the connection was lost may have taken effect. They are not sent again. */
    @Test
    void lostConnectionFailsSentCommandsWithoutResending() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.HANG_UP);
                RealFleet fleet = new RealFleet(redis.url())) {
            assertEquals(new Failed(ServerFailure.DISCONNECTED, true), ask(fleet));
            redis.answering(":1\r\n");
            Eventually.holds(
                    "up again", () -> redis.connections() >= 2 && status(fleet).up());
            assertEquals(1, redis.scripts());
        }
    }

    @Test
    void failsCommandsWithoutConnectionAtOnce() {
        try (StubRedis redis = new StubRedis();
                RealFleet fleet = new RealFleet(redis.url())) {
            redis.disconnectAll();
            Eventually.holds("down", () -> !status(fleet).up());
            assertEquals(new Failed(ServerFailure.DISCONNECTED, false), ask(fleet));
        }
    }

    /** R14: a slow master gets only as many commands as it can answer in time. */
    @Test
    void boundsQueueOfMaster() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.SILENCE);
                RealFleet fleet = new RealFleet(redis.url())) {
            int many = 2 * LinkSettings.QUEUE;
            List<MasterReply> replies = askMany(fleet, many);
            long overloaded = replies.stream()
                    .filter(new Failed(ServerFailure.OVERLOADED, false)::equals)
                    .count();
            long ofHeartbeat = overloaded - (many - LinkSettings.QUEUE);
            assertTrue(ofHeartbeat == 0 || ofHeartbeat == 1, () -> overloaded + " of " + many);
            assertTrue(redis.scripts() <= LinkSettings.BATCH, "too many commands sent");
        }
    }

    @Test
    void givesUpOnSilentServer() {
        try (StubRedis redis = new StubRedis().answeringHello(StubRedis.SILENCE);
                RealFleet fleet = new RealFleet(CONNECT_TIMEOUT, redis.url())) {
            assertEquals(new Failed(ServerFailure.DISCONNECTED, false), ask(fleet));
            assertEquals(Optional.of(ServerFailure.TIMEOUT), status(fleet).problem());
            redis.answeringHello("*0\r\n");
            Eventually.holds("up", () -> status(fleet).up());
        }
    }

    @ParameterizedTest
    @CsvSource({"-ERR of an unknown kind, ERROR", "-LOADING wait, LOADING"})
    void doesNotAdmitServerThatRejectsHandshake(String line, ServerFailure reason) {
        try (StubRedis redis = new StubRedis().answeringHello(line + "\r\n");
                RealFleet fleet = new RealFleet(CONNECT_TIMEOUT, redis.url())) {
            assertEquals(Optional.of(reason), status(fleet).problem());
        }
    }

    /** R2 */
    @ParameterizedTest
    @CsvSource({
        "role:slave, redis_mode:standalone, redis_version:7.0.0, is not a master",
        "role:master, redis_mode:cluster, redis_version:7.0.0, runs in cluster mode",
        "role:master, redis_mode:sentinel, redis_version:7.0.0, is a Sentinel",
        "role:master, redis_mode:standalone, redis_version:6.0.9, is Redis 6.0.9"
    })
    void refusesServersThatAreNotIndependentMasters(String role, String mode, String version, String why) {
        try (StubRedis redis = new StubRedis().withInfo(role, mode, version);
                RealFleet fleet = new RealFleet(redis.url())) {
            assertTrue(fleet.misfits.get(0).startsWith("node-1"));
            assertTrue(fleet.misfits.get(0).contains(why));
            assertEquals(new Failed(ServerFailure.REFUSED, false), ask(fleet));
        }
    }

    /** R2: one server behind two addresses has one vote. */
    @Test
    void refusesSameServerTwice() {
        try (StubRedis one = new StubRedis().withRunId("same");
                StubRedis two = new StubRedis().withRunId("same");
                StubRedis three = new StubRedis();
                RealFleet fleet = new RealFleet(one.url(), two.url(), three.url())) {
            assertEquals(1, fleet.misfits.size());
            assertTrue(fleet.misfits.get(0).contains("is the same server as node-"));
            assertEquals(2, fleet.fleet.up());
        }
    }

    @Test
    void countsRestartsOfMaster() {
        try (StubRedis redis = new StubRedis().answering(StubRedis.HANG_UP);
                RealFleet fleet = new RealFleet(redis.url())) {
            redis.withRunId("another");
            ask(fleet);
            Eventually.holds(
                    "a restart",
                    () -> status(fleet).restarts() == 1 && status(fleet).up());
        }
    }

    @Test
    void hidesCredentials() {
        MasterAddress address = new MasterAddress("redis://user:canary-secret@host:7000");
        assertEquals("host:7000", address.toString());
        URI dead = URI.create("redis://user:canary-secret@127.0.0.1:1");
        try (RealFleet fleet = new RealFleet(dead)) {
            assertTrue(!status(fleet).toString().contains("canary"));
        }
    }

    private static ServerStatus status(RealFleet fleet) {
        return fleet.fleet.servers().get(0);
    }

    private static MasterReply ask(RealFleet fleet) {
        return askMany(fleet, 1).get(0);
    }

    private static List<MasterReply> askMany(RealFleet fleet, int count) {
        CompletableFuture<List<MasterReply>> all = new CompletableFuture<>();
        List<MasterReply> replies = new ArrayList<>();
        fleet.onLoop(() -> {
            for (int i = 0; i < count; i++) {
                ACQUIRE.put(fleet.master(), reply -> {
                    assertInstanceOf(MasterReply.class, reply);
                    replies.add(reply);
                    if (replies.size() == count) {
                        all.complete(replies);
                    }
                });
            }
        });
        return RealLoop.await(all);
    }
}
