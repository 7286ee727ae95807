// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.quorumlock.engines.redis.MasterConnection.ServerFacts;
import io.quorumlock.engines.redis.SimulatedConnection;
import io.quorumlock.engines.redis.SimulatedServer;
import io.quorumlock.engines.redis.StallWatch;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.VirtualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A replica whose event loop gets no CPU, with a master that never replies. The node timeout is 50 ms. */
class StallWatchTest {
    private static final Duration STALL = Duration.ofMillis(80);
    private static final Optional<String> STALLED = Optional.of("this replica was stalled for 80 ms");

    private final VirtualTime time = new VirtualTime();

    @Test
    void explainsTimeoutOfCommandThatWasWrittenLate() {
        RedisFleet fleet = openFleet(limit -> Future.succeededFuture(silent()));
        inspect(fleet);
        time.stall(STALL);
        time.pass(Duration.ofMillis(5));
        assertStatus(true, STALLED, fleet);
    }

    @Test
    void explainsTimeoutThatWasNoticedLate() {
        RedisFleet fleet = openFleet(limit -> Future.succeededFuture(silent()));
        inspect(fleet);
        time.pass(Duration.ofMillis(10));
        time.stall(STALL.plusMillis(40));
        time.pass(Duration.ofMillis(5));
        assertStatus(true, STALLED, fleet);
    }

    @Test
    void explainsTimeoutOfConnection() {
        RedisFleet fleet = openFleet(this::neverConnected);
        time.pass(Duration.ofMillis(1990));
        time.stall(STALL.plusMillis(10));
        time.pass(Duration.ofMillis(5));
        assertStatus(false, STALLED, fleet);
    }

    @Test
    void blamesSilentMasterIfReplicaWasNotStalledMeanwhile() {
        RedisFleet fleet = openFleet(limit -> Future.succeededFuture(silent()));
        time.stall(STALL);
        time.pass(Duration.ofMillis(100));
        inspect(fleet);
        time.pass(Duration.ofMillis(51));
        assertStatus(true, Optional.empty(), fleet);
    }

    /** A single stall is usual, for example at the start. */
    @Test
    void reportsStallsThatLast() {
        List<String> reports = new ArrayList<>();
        StallWatch watch = new StallWatch(time, Duration.ofMillis(50), last -> reports.add(last.toMillis() + " ms"));
        for (int stalls = 1; stalls < 6; stalls++) {
            MonotonicTime due = time.now();
            time.stall(STALL);
            watch.ran(due);
            watch.explain(ServerFailure.TIMEOUT, due);
            watch.explain(ServerFailure.TIMEOUT, due);
            assertEquals(stalls < 3 ? List.of() : List.of("80 ms"), reports);
        }
        time.pass(Duration.ofMinutes(1));
        MonotonicTime due = time.now();
        time.stall(STALL);
        watch.ran(due);
        watch.explain(ServerFailure.TIMEOUT, due);
        assertEquals(1, reports.size(), reports::toString);
    }

    private RedisFleet openFleet(MasterConnector connector) {
        LinkSettings link = new LinkSettings(Duration.ofMillis(50), Duration.ofMillis(500), Optional.empty());
        RedisFleet fleet = new RedisFleet(
                List.of(new MasterAddress("redis://host")),
                address -> connector,
                new RedisFleet.Settings(
                        link, SimulatedServer.KEYS, 1000, new RestartGuard(false, false, Duration.ZERO, false)),
                time.engineContext(1),
                new MasterLog());
        fleet.links().forEach(MasterLink::open);
        return fleet;
    }

    private static void inspect(RedisFleet fleet) {
        fleet.lockMasters().get(0).inspect(new ResourceName("a"), reply -> {});
    }

    private static void assertStatus(boolean up, Optional<String> detail, RedisFleet fleet) {
        ServerStatus status = fleet.servers().get(0);
        assertEquals(up, status.up());
        assertEquals(Optional.of(ServerFailure.TIMEOUT), status.problem());
        assertEquals(detail, status.detail());
    }

    private Future<MasterConnection> neverConnected(Duration limit) {
        Promise<MasterConnection> opened = Promise.promise();
        time.after(limit, () -> opened.tryFail(new TimeoutException("no answer")));
        return opened.future();
    }

    private static MasterConnection silent() {
        SimulatedConnection connection = new SimulatedConnection() {
            @Override
            protected void transmit(List<Request> requests, Promise<List<Response>> promise) {
                // Never answers.
            }
        };
        return new MasterConnection(
                connection, new ServerFacts("run-1", "master", "standalone", "7.0.15", "noeviction"), () -> {});
    }
}
