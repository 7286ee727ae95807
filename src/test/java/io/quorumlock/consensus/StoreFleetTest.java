// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.StoreMember.State;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.MasterStatus;
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

class StoreFleetTest {
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
        StoreFleet fleet = fleet(
                new Server(CompletableFuture.completedFuture(State.of("leader"))),
                new Server(CompletableFuture.failedFuture(new ConnectException("refused"))),
                new Server(new CompletableFuture<>()));
        assertEquals(MasterFailure.PENDING, fleet.masters().get(0).problem().orElseThrow());
        RealLoop.await(fleet.start());

        MasterStatus leader = fleet.masters().get(0);
        assertTrue(leader.up());
        assertEquals(Optional.of("leader"), leader.role());
        assertTrue(leader.latency().isPresent());
        MasterStatus away = fleet.masters().get(1);
        assertFalse(away.up());
        assertEquals(Optional.of(MasterFailure.DISCONNECTED), away.problem());
        assertEquals(Optional.of("ConnectException: refused"), away.detail());
        assertEquals(Optional.of(MasterFailure.TIMEOUT), fleet.masters().get(2).problem());
        assertEquals(1, fleet.up());
        assertEquals(2, fleet.quorum());
        assertEquals(List.of("node-1 status", "node-2 disconnected", "node-3 timeout"), log.lines);
    }

    /** The timeout is that of the injected scheduler, as in virtual time. */
    @Test
    void serverIsLateWhenTheSchedulerSaysSo() {
        VirtualTime time = new VirtualTime();
        StoreFleet fleet = new StoreFleet(
                List.of(new Server(new CompletableFuture<>())), ready::get, TIMEOUT, time.engineContext(1), log);
        CompletableFuture<Void> started = fleet.start();
        time.pass(TIMEOUT.minusMillis(1));
        assertFalse(started.isDone());
        time.pass(Duration.ofMillis(1));
        assertTrue(started.isDone());
        assertEquals(Optional.of(MasterFailure.TIMEOUT), fleet.masters().get(0).problem());
    }

    @Test
    void locksAreAvailableWhileTheStoreAnswersCalls() {
        StoreFleet fleet = fleet(new Server(CompletableFuture.failedFuture(new ConnectException("refused"))));
        RealLoop.await(fleet.start());
        assertTrue(fleet.hasQuorum());
        ready.set(false);
        assertFalse(fleet.hasQuorum());
    }

    private StoreFleet fleet(Server... servers) {
        return new StoreFleet(List.of(servers), ready::get, TIMEOUT, loop.engineContext, log);
    }

    private record Server(CompletableFuture<State> answer) implements StoreMember {
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
