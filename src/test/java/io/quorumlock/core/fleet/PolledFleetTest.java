// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.PolledServer.State;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertEquals(Optional.of("connection refused"), away.detail());
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

    /** The token of a user, for example, is not synchronized. */
    @Test
    void asksOnTheEventLoop() {
        VirtualTime time = new VirtualTime();
        Server server = new Server(CompletableFuture.completedFuture(State.of("leader")));
        CompletableFuture<Void> started =
                new PolledFleet(List.of(server), ready::get, TIMEOUT, time.engineContext(1), log).start();
        assertEquals(0, server.questions.get());
        time.pass(Duration.ZERO);
        assertEquals(1, server.questions.get());
        assertTrue(started.isDone());
    }

    @Test
    void locksAreAvailableWhileTheStoreAnswersCalls() {
        PolledFleet fleet = fleet(new Server(CompletableFuture.failedFuture(new ConnectException("refused"))));
        RealLoop.await(fleet.start());
        assertTrue(fleet.hasQuorum());
        ready.set(false);
        assertFalse(fleet.hasQuorum());
    }

    @Test
    void refusesServerOfOtherStore() {
        PolledFleet fleet = fleet(
                new Server(CompletableFuture.completedFuture(State.of("leader"))),
                new Server(CompletableFuture.completedFuture(State.of("leader")), Optional.of("another store")));
        RealLoop.await(fleet.start());
        ServerStatus refused = fleet.servers().get(1);
        assertFalse(refused.up());
        assertEquals(Optional.of(ServerFailure.REFUSED), refused.problem());
        assertEquals(Optional.of("another store"), refused.detail());
        assertTrue(fleet.servers().get(0).up());
        assertEquals(List.of("node-1 status", "node-2 refused"), log.lines);
    }

    /** A leader that was just replaced is still known as one until it is asked again. */
    @ParameterizedTest
    @ValueSource(strings = {"leader", "standalone"})
    void refusesTwoLeadersAtTheSecondQuestion(String role) {
        VirtualTime time = new VirtualTime();
        Server leader = new Server(CompletableFuture.completedFuture(State.of(role)));
        Server follower = new Server(CompletableFuture.completedFuture(State.of("follower")));
        PolledFleet fleet =
                new PolledFleet(List.of(leader, follower, leader), ready::get, TIMEOUT, time.engineContext(1), log);
        fleet.start();
        time.pass(Duration.ofSeconds(1));
        assertEquals(3, fleet.up());
        assertTrue(fleet.hasQuorum());
        time.pass(Duration.ofSeconds(2));
        assertEquals(1, fleet.up());
        assertFalse(fleet.hasQuorum());
        assertEquals(
                Optional.of("leads, as node-3 does: they belong to two stores"),
                fleet.servers().get(0).detail());
        assertEquals(Optional.of(ServerFailure.REFUSED), fleet.servers().get(2).problem());
    }

    private PolledFleet fleet(Server... servers) {
        return new PolledFleet(List.of(servers), ready::get, TIMEOUT, loop.engineContext, log);
    }

    private record Server(CompletableFuture<State> answer, Optional<String> refusal, AtomicInteger questions)
            implements PolledServer {
        Server(CompletableFuture<State> answer) {
            this(answer, Optional.empty());
        }

        Server(CompletableFuture<State> answer, Optional<String> refusal) {
            this(answer, refusal, new AtomicInteger());
        }

        @Override
        public String address() {
            return "localhost:1";
        }

        @Override
        public CompletionStage<State> ask() {
            questions.incrementAndGet();
            return answer;
        }
    }
}
