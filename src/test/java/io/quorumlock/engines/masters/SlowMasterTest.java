// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.SimulatedConnection;
import io.quorumlock.engines.redis.SimulatedServer;
import io.quorumlock.engines.redis.SimulatedServerContractTest;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.SeededRandom;
import io.quorumlock.testing.VirtualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A master whose answers take a while, with a timeout of 50 ms. */
class SlowMasterTest {
    private static final Duration TIMEOUT = Duration.ofMillis(50);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time, 1, new SimulatedServerContractTest.Deaf());
    private IntSupplier roundTripMillis = () -> 1;
    private RedisFleet fleet;

    @BeforeEach
    void found() {
        server.start("run-1", true);
        server.found(0, 1);
    }

    @ParameterizedTest
    @CsvSource({"60, 200", "150, 400", "52, 200", "250, 600"})
    void farMasterNeverCountsAsUp(int millis, int advised) {
        roundTripMillis = () -> millis;
        open();
        for (int i = 0; i < 1_000; i++) {
            time.pass(Duration.ofMillis(10));
            assertFalse(status().up());
        }
        assertEquals(Optional.of(ServerFailure.SLOW), status().problem());
        assertEquals(
                Optional.of(
                        "answers after " + millis + " ms, QUORUMLOCK_NODE_TIMEOUT is 50ms; write " + advised + "ms"),
                status().detail());
        assertTrue(fleet.links().get(0).status().mayVote(), "it is still asked");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 45, 50})
    void masterInTimeCountsAsUp(int millis) {
        roundTripMillis = () -> millis;
        open();
        time.pass(Duration.ofSeconds(1));
        assertTrue(status().up());
    }

    @Test
    void delayThatBeginsLaterIsNoticedAndItsEndToo() {
        open();
        time.pass(Duration.ofSeconds(10));
        assertTrue(status().up());
        roundTripMillis = () -> 80;
        time.pass(Duration.ofSeconds(4));
        assertEquals(Optional.of(ServerFailure.SLOW), status().problem());
        roundTripMillis = () -> 5;
        time.pass(Duration.ofSeconds(16));
        assertTrue(status().up());
        assertEquals(Optional.empty(), status().problem());
    }

    /** A pause of the master, or of the network. */
    @Test
    void twoLateAnswersAreNoReason() {
        open();
        time.pass(Duration.ofSeconds(10));
        roundTripMillis = () -> 300;
        time.pass(Duration.ofSeconds(2));
        roundTripMillis = () -> 1;
        for (int i = 0; i < 100; i++) {
            time.pass(Duration.ofMillis(10));
            assertTrue(status().up());
        }
    }

    /** The answers are in the socket when the replica goes on. */
    @Test
    void pausesOfThisReplicaAreNoReason() {
        open();
        time.pass(Duration.ofSeconds(10));
        for (int i = 0; i < 20; i++) {
            time.stall(Duration.ofMillis(80));
            time.pass(Duration.ofMillis(920));
            assertTrue(status().up());
        }
    }

    /** R9 */
    @Test
    void slowMasterInQuarantineGivesNoVote() {
        roundTripMillis = () -> 60;
        open();
        time.pass(Duration.ofSeconds(2));
        assertTrue(fleet.links().get(0).status().mayVote());
        server.clear();
        time.pass(Duration.ofSeconds(2));
        assertEquals(Optional.of(ServerFailure.QUARANTINED), status().problem());
        assertFalse(fleet.links().get(0).status().mayVote());
        time.pass(Duration.ofSeconds(40));
        assertEquals(Optional.of(ServerFailure.SLOW), status().problem());
        assertTrue(fleet.links().get(0).status().mayVote());
    }

    @ParameterizedTest
    @CsvSource({"45, 55", "30, 90"})
    void masterAtTheEdgeDoesNotFlap(int least, int most) {
        SeededRandom random = new SeededRandom(1);
        roundTripMillis = () -> random.between(least, most);
        open();
        int changes = 0;
        boolean up = status().up();
        for (int i = 0; i < 600; i++) {
            time.pass(Duration.ofSeconds(1));
            changes += up == status().up() ? 0 : 1;
            up = status().up();
        }
        assertTrue(changes < 3, changes + " changes in ten minutes");
    }

    private void open() {
        fleet = new RedisFleet(
                List.of(new MasterAddress("redis://master-0")),
                address -> limit -> Future.succeededFuture(connection()),
                new RedisFleet.Settings(
                        new LinkSettings(TIMEOUT, Duration.ofMillis(300), Optional.empty()),
                        SimulatedServer.KEYS,
                        1000,
                        new RestartGuard(true, true, Duration.ofSeconds(30), false)),
                time.engineContext(1),
                new MasterLog());
        fleet.links().forEach(MasterLink::open);
    }

    private ServerStatus status() {
        return fleet.servers().get(0);
    }

    private MasterConnection connection() {
        SimulatedConnection connection = new SimulatedConnection() {
            @Override
            protected void transmit(List<Request> requests, Promise<List<Response>> promise) {
                List<Response> replies = requests.stream().map(server::answer).toList();
                time.after(Duration.ofMillis(roundTripMillis.getAsInt()), () -> settle(promise, replies));
            }
        };
        return new MasterConnection(connection, server.facts(), () -> {});
    }
}
