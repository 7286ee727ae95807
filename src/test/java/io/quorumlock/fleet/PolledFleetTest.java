// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.fleet.PolledServer.State;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.VirtualTime;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolledFleetTest {
    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final RealLoop loop = new RealLoop();
    private final AtomicBoolean ready = new AtomicBoolean(true);
    private final MasterLog log = new MasterLog();

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void tellsStateOfEachServer() {
        PolledFleet fleet = fleet(
                new Server(CompletableFuture.completedFuture(State.of("leader"))),
                new Server(CompletableFuture.failedFuture(new ConnectException("refused"))),
                new Server(new CompletableFuture<>()));
        assertEquals(ServerFailure.PENDING, fleet.servers().get(0).problem().orElseThrow());
        RealLoop.await(fleet.start());

        ServerStatus leader = fleet.servers().get(0);
        assertTrue(leader.up());
        assertEquals(Optional.of("leader"), leader.role());
        assertTrue(leader.latency().isPresent());
        ServerStatus away = fleet.servers().get(1);
        assertFalse(away.up());
        assertEquals(Optional.of(ServerFailure.DISCONNECTED), away.problem());
        assertEquals(Optional.of("ConnectException: refused"), away.detail());
        assertEquals(Optional.of(ServerFailure.TIMEOUT), fleet.servers().get(2).problem());
        assertEquals(1, fleet.up());
        assertEquals(2, fleet.quorum());
        assertEquals(List.of("node-1 status", "node-2 disconnected", "node-3 timeout"), log.lines);
    }

    /** The timeout is that of the injected scheduler, as in virtual time. */
    @Test
    void serverIsLateWhenTheSchedulerSaysSo() {
        VirtualTime time = new VirtualTime();
        PolledFleet fleet = new PolledFleet(
                List.of(new Server(new CompletableFuture<>())), ready::get, TIMEOUT, time.engineContext(1), log);
        CompletableFuture<Void> started = fleet.start();
        time.pass(TIMEOUT.minusMillis(1));
        assertFalse(started.isDone());
        time.pass(Duration.ofMillis(1));
        assertTrue(started.isDone());
        assertEquals(Optional.of(ServerFailure.TIMEOUT), fleet.servers().get(0).problem());
    }

    @Test
    void locksAreAvailableWhileTheStoreAnswersCalls() {
        PolledFleet fleet = fleet(new Server(CompletableFuture.failedFuture(new ConnectException("refused"))));
        RealLoop.await(fleet.start());
        assertTrue(fleet.hasQuorum());
        ready.set(false);
        assertFalse(fleet.hasQuorum());
    }

    private PolledFleet fleet(Server... servers) {
        return new PolledFleet(List.of(servers), ready::get, TIMEOUT, loop.engineContext, log);
    }

    private record Server(CompletableFuture<State> answer) implements PolledServer {
        @Override
        public String address() {
            return "localhost:1";
        }

        @Override
        public CompletionStage<State> ask() {
            return answer;
        }
    }
}
