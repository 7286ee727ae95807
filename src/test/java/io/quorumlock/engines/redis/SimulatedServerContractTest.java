// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.masters.SimulatedFleet;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.VirtualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The master contract on the simulated server with a real link. */
public class SimulatedServerContractTest extends ScanContract {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time, 1, new Deaf());
    private final LockMaster master = connect();

    private LockMaster connect() {
        server.start("run-1", true);
        RestartGuard guard = new RestartGuard(true, true, Duration.ofMinutes(1), false);
        SimulatedFleet fleet = new SimulatedFleet(
                List.of(limit -> Future.succeededFuture(new SimulatedFleet.Opened(new Direct(), server, () -> {}))),
                Duration.ofSeconds(1),
                RealFleet.EXTENSIONS_MAX,
                guard,
                time.engineContext(1),
                new Deaf());
        fleet.open();
        return fleet.masters().get(0);
    }

    @Override
    MasterReply ask(Ask question) {
        AtomicReference<MasterReply> reply = new AtomicReference<>();
        question.put(master, reply::set);
        time.pass(Duration.ZERO);
        return reply.get();
    }

    @Override
    MonotonicTime now() {
        return time.now();
    }

    @Override
    void letTimePass() {
        time.pass(Duration.ofNanos(123_456_789));
    }

    @Override
    int extensionsMax() {
        return RealFleet.EXTENSIONS_MAX;
    }

    @Test
    void failsOnceWithoutScriptsThenReloads() {
        server.flushScripts();
        assertEquals(new MasterReply.Failed(ServerFailure.NOSCRIPT, true), acquire());
        assertEquals(MasterReply.Granted.class, acquire().getClass());
    }

    private MasterReply acquire() {
        return ask(Ask.acquire(new ResourceName("flushed"), A, "a1", TTL, Optional.empty()));
    }

    /** A connection that replies at once. */
    private final class Direct extends SimulatedConnection {
        @Override
        protected void transmit(List<Request> requests, Promise<List<Response>> promise) {
            settle(promise, requests.stream().map(server::answer).toList());
        }
    }

    public static final class Deaf implements SimulatedServer.Listener, ServerListener {
        @Override
        public void voteAsked(LeaseToken token) {
            // Tests check only the replies.
        }

        @Override
        public void granted(LeaseToken token) {
            // Tests check only the replies.
        }

        @Override
        public int subscribed(ResourceName resource) {
            return 0;
        }

        @Override
        public void released(ResourceName resource, long fence, int replicas) {
            // Tests check only the replies.
        }

        @Override
        public void admitted(boolean stepped, boolean founded) {
            // Tests check only the replies.
        }

        @Override
        public void answered(String master, String command, Duration elapsed) {
            // Tests check only the replies.
        }

        @Override
        public void failed(String master, ServerFailure reason) {
            // Tests check only the replies.
        }

        @Override
        public void restarted(String master) {
            // Tests check only the replies.
        }
    }
}
