// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.history.Call;
import io.quorumlock.history.Checker;
import io.quorumlock.history.History;
import io.quorumlock.history.Outcome;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.SeededRandom;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A fixed plan of faults on five masters while clients of two replicas contend: two masters are suspended, one is killed
 * and returns without its data, one is killed and returns with them. Clients get leases all the time (L2), the checker
 * finds no violation (S1 to S4), and no key is left (N).
 */
@Proves({"S1", "L2", "N"})
class FaultsIT {
    private static final int CLIENTS = 8;
    /** The leases that clients must get during each fault. */
    private static final int LEASES = 100;
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger leases = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void keepsGuaranteesWhileMastersFail() {
        List<RedisServer> masters = RedisServers.start(5, Persistence.options());
        Map<String, String> environment = Setup.environment(ServiceProcess.nodes(masters));
        try (ServiceProcess one = ServiceProcess.startReady(environment);
                ServiceProcess two = ServiceProcess.startReady(environment);
                FencedRegister register = new FencedRegister()) {
            List<LockClient> replicas = List.of(one.client(), two.client());
            replicas.forEach(FaultsIT::awaitAllUp);
            List<Integer> ports = List.of(one.uri().getPort(), two.uri().getPort());
            CompletableFuture<?>[] clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> Background.run(client(i, ports, register)))
                    .toArray(CompletableFuture[]::new);
            try {
                inject(masters, replicas);
            } finally {
                over.set(true);
                CompletableFuture.allOf(clients).join();
            }
            // On a busy machine calls may take long, and too few masters may answer in time.
            History history = new History(List.copyOf(calls), Setup.LIMITS, call -> true);
            assertEquals(List.of(), Checker.check(history));
            assertEquals(
                    0,
                    calls.stream()
                            .filter(call -> call.outcome() == Outcome.REJECTED)
                            .count());
            assertEquals(0, register.lostUpdates());
            Eventually.within(
                    LONG,
                    "no locks left",
                    () -> masters.stream().mapToLong(Masters::locks).sum() == 0);
        } finally {
            RedisServers.close(masters);
        }
    }

    private LockUser client(int number, List<Integer> ports, FencedRegister register) {
        RecordingClient caller = new RecordingClient("client", ports, this::record);
        LockUser.Tools tools = new LockUser.Tools(caller, new RegisterClient(register.port()), Setup.RESOURCES_IN);
        return new LockUser("client-" + number, new SeededRandom(number), tools, over::get);
    }

    private void record(HistoryLine line) {
        Call call = ((HistoryLine.Called) line).call();
        calls.add(call);
        leases.addAndGet(call.gotLease() ? 1 : 0);
    }

    private void inject(List<RedisServer> masters, List<LockClient> replicas) {
        List<RedisServer> suspended = masters.subList(0, 2);
        suspended.forEach(RedisServer::suspend);
        awaitLeases();
        suspended.forEach(RedisServer::resume);
        replicas.forEach(FaultsIT::awaitAllUp);

        RedisServer emptied = masters.get(2);
        emptied.killAndEmpty();
        awaitLeases();
        emptied.start();
        replicas.forEach(replica ->
                Eventually.within(LONG, "no quarantine", () -> isQuarantined(replica, 2) || replica.nodesUp() == 5));
        awaitLeases();
        replicas.forEach(FaultsIT::awaitAllUp);

        masters.get(3).kill();
        awaitLeases();
        masters.get(3).start();
        awaitLeases();
        replicas.forEach(FaultsIT::awaitAllUp);
    }

    private void awaitLeases() {
        int enough = leases.get() + LEASES;
        Eventually.within(LONG, () -> leases + " leases", () -> leases.get() >= enough);
    }

    private static boolean isQuarantined(LockClient replica, int node) {
        return replica.get("/nodes").body().at("/nodes/" + node).has("quarantineMs");
    }

    private static void awaitAllUp(LockClient replica) {
        Eventually.within(LONG, () -> replica.get("/nodes").body().toString(), () -> replica.nodesUp() == 5);
    }
}
