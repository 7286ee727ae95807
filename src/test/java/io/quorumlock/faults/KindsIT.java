// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.history.Call;
import io.quorumlock.history.Checker;
import io.quorumlock.history.History;
import io.quorumlock.history.Terms;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.SeededRandom;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Clients of two replicas that contend for several locks, for a shared lock and for a semaphore, for some seconds. */
@Isolated
@Tag("nightly")
class KindsIT {
    private static final Duration TIME = Duration.ofSeconds(TestSize.of("kinds.seconds", 60));
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static List<RedisServer> masters;
    private static List<ServiceProcess> replicas;
    private static ExecutorService threads;

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5, Persistence.options());
        Map<String, String> environment = new HashMap<>(Setup.environment(ServiceProcess.nodes(masters)));
        environment.put("QUORUMLOCK_TTL_MAX", "1m");
        replicas = List.of(ServiceProcess.startReady(environment), ServiceProcess.startReady(environment));
        threads = Executors.newCachedThreadPool();
        replicas.forEach(KindsIT::awaitAllUp);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        replicas.forEach(ServiceProcess::close);
        RedisServers.close(masters);
    }

    /** No client finds a part of its own set after a call that was refused. */
    @Test
    void clientsOfSameLocksInDifferentOrderTakeTurns() {
        int[] grants = new int[2];
        run(2, client -> {
            LockClient replica = replicas.get(client).client();
            String names = client == 0 ? "names=a&names=b" : "names=b&names=a";
            String query = names + "&ttlMs=2000&waitMs=100&owner=client-" + client;
            String token = "token-of-client-" + client + "-" + grants[client];
            Answer answer = replica.several("POST", "/locks", query, token);
            List<JsonNode> locks = List.of(inspect(replica, "a"), inspect(replica, "b"));
            if (answer.status() == 201) {
                locks.forEach(lock ->
                        assertEquals("client-" + client, lock.path("owner").asText(), lock::toString));
                long fence = answer.body().at("/leases/0/fencingToken").asLong(); // A late vote can have a larger one.
                locks.forEach(
                        lock -> assertTrue(fence <= lock.path("fencingToken").asLong(), lock::toString));
                grants[client]++;
                Eventually.within(
                        LONG,
                        "released",
                        () -> replica.several("DELETE", "/locks", names, token).status() != 503);
            } else if (answer.status() == 423) {
                locks.forEach(lock ->
                        assertNotEquals("client-" + client, lock.path("owner").asText()));
            }
        });
        System.out.println("kinds: {a, b} " + grants[0] + " and {b, a} " + grants[1] + " grants");
        assertTrue(grants[0] > 0 && grants[1] > 0, () -> grants[0] + " and " + grants[1]);
    }

    @Test
    void writerIsServedAmongReaders() {
        int readers = 20;
        Queue<Long> waits = new ConcurrentLinkedQueue<>();
        run(readers + 1, client -> {
            boolean writes = client == readers;
            Call lease = hold(client, "shared", writes ? LockKind.EXCLUSIVE : LockKind.SHARED, writes ? 20 : 250);
            if (writes) {
                assertTrue(lease.gotLease() || lease.outcome().isUnknown(), lease::toString);
                waits.add(TimeUnit.NANOSECONDS.toMillis(lease.answered() - lease.sent()));
                Pause.of(Duration.ofMillis(300));
            }
        });
        long leases = calls.stream().filter(Call::gotLease).count();
        System.out.println("kinds: a writer among 20 readers waited " + waits + " ms, " + leases + " leases");
        check();
    }

    /** One master is suspended, and another one is killed, again and again. */
    @Test
    void semaphoreHasThreeHoldersDespiteFaults() {
        CompletableFuture<Void> faults = CompletableFuture.runAsync(this::inject, threads);
        run(20, client -> hold(client, "semaphore", LockKind.ofSlots(3), 250));
        faults.join();
        Map<Integer, Long> shares = HolderTimes.of(calls);
        System.out.println("kinds: milliseconds with a number of holders of three slots: " + shares);
        assertTrue(shares.keySet().stream().allMatch(holders -> holders <= 3), shares::toString);
        assertTrue(shares.getOrDefault(3, 0L) > 0, shares::toString);
        check();
    }

    @Test
    void badCallsGetTheirAnswersAndLeaveNothing() {
        Set<String> before = locks();
        String many = IntStream.range(0, 33).mapToObj(i -> "names=n" + i).collect(Collectors.joining("&"));
        expect(400, "POST", "/locks", "", 1);
        expect(400, "POST", "/locks", many, 1);
        expect(400, "POST", "/locks", "names=a&names=a", 1);
        expect(400, "POST", "/locks", "names=a&names=%01", 1);
        expect(400, "POST", "/locks/a", "slots=0", 1);
        expect(400, "POST", "/locks/a", "slots=65", 1);
        expect(400, "POST", "/locks/a", "slots=2&mode=shared", 1);

        expect(201, "POST", "/locks", "names=a&names=b", 1);
        expect(409, "POST", "/locks", "names=a&names=b&names=c", 1);
        expect(409, "PUT", "/locks/extend", "names=a&names=b&names=c", 1);
        expect(409, "DELETE", "/locks/a", "", 1);
        expect(204, "DELETE", "/locks", "names=a&names=b", 1);

        expect(201, "POST", "/locks/m", "mode=shared", 2);
        expect(409, "POST", "/locks/m", "", 2);
        expect(409, "POST", "/locks/m", "slots=2", 2);
        expect(204, "DELETE", "/locks/m", "", 2);

        expect(201, "POST", "/locks/s", "slots=2", 3);
        expect(409, "POST", "/locks/s", "slots=3", 3);
        expect(409, "POST", "/locks/s", "slots=3", 4);
        expect(201, "POST", "/locks/s", "slots=2", 4);
        expect(423, "POST", "/locks/s", "slots=2", 5);
        expect(404, "DELETE", "/locks/s", "", 5);
        expect(204, "DELETE", "/locks/s", "", 3);
        expect(200, "PUT", "/locks/s/extend", "", 4);
        expect(204, "DELETE", "/locks/s", "", 4);

        expect(201, "POST", "/locks/k", "ttlMs=1000", 6);
        expect(204, "DELETE", "/locks/k", "keepMs=5000", 6);
        expect(423, "POST", "/locks/k", "", 7);

        IntStream.range(0, 1_000).forEach(reader -> await(Set.of(201, 200), "POST", "mode=shared&ttlMs=60000", reader));
        expect(423, "POST", "/locks/many", "mode=shared&ttlMs=60000", 1_000);
        IntStream.range(0, 1_000).forEach(reader -> await(Set.of(204, 404), "DELETE", "", reader));
        Eventually.within(LONG, () -> locks().toString(), () -> locks().equals(before));
    }

    private static Answer call(String method, String path, String query, int client) {
        String token = "token-of-client-" + (10_000 + client);
        return replicas.get(client % 2).client().several(method, path, query, token);
    }

    /** In one of many calls, the masters may not answer in time. Its repetition has the second status if it took effect. */
    private static void await(Set<Integer> statuses, String method, String query, int client) {
        Eventually.within(
                LONG,
                method,
                () -> statuses.contains(
                        call(method, "/locks/many", query, client).status()));
    }

    private static void expect(int status, String method, String path, String query, int client) {
        Answer answer = call(method, path, query, client);
        assertEquals(status, answer.status(), () -> method + " " + path + "?" + query + ": " + answer);
    }

    /** Returns the keys of locks of all masters. */
    private static Set<String> locks() {
        return masters.stream()
                .flatMap(master -> Stream.of(master.cli("KEYS", "lock:*").split("[\\[\\], ]+")))
                .collect(Collectors.toSet());
    }

    /** @param work what a client does again and again, until the time is over */
    private void run(int clients, IntConsumer work) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int client = i;
            running.add(CompletableFuture.runAsync(
                    () -> {
                        while (!over.get()) {
                            work.accept(client);
                        }
                    },
                    threads));
        }
        try {
            CompletableFuture.anyOf(running.toArray(CompletableFuture[]::new))
                    .completeOnTimeout(null, TIME.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            over.set(true);
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        }
    }

    /** Acquires with a wait, holds for at most this time and releases. Returns the acquire. */
    private Call hold(int client, String name, LockKind kind, int mostMs) {
        List<Integer> ports =
                replicas.stream().map(replica -> replica.uri().getPort()).toList();
        int replica = 1 + client % 2;
        try (RecordingClient caller = new RecordingClient("client", ports, this::record)) {
            Terms terms = Terms.of(name, client + "-" + System.nanoTime(), TTL)
                    .waiting(PATIENCE)
                    .of(kind);
            Call lease = caller.acquire(replica, terms);
            if (lease.gotLease()) {
                Pause.of(Duration.ofMillis(new SeededRandom(lease.sent()).between(mostMs / 2, mostMs)));
            }
            if (lease.gotLease() || lease.outcome().isUnknown()) {
                Eventually.within(LONG, "released", () -> !caller.release(replica, terms)
                        .outcome()
                        .isUnknown());
            }
            return lease;
        }
    }

    private void record(HistoryLine line) {
        calls.add(((HistoryLine.Called) line).call());
    }

    private void inject() {
        while (!over.get()) {
            masters.get(0).suspend();
            Pause.of(Duration.ofSeconds(1));
            masters.get(0).resume();
            replicas.forEach(KindsIT::awaitAllUp);
            masters.get(2).kill();
            Pause.of(Duration.ofSeconds(1));
            masters.get(2).start();
            replicas.forEach(KindsIT::awaitAllUp);
        }
    }

    private void check() {
        History history = new History(List.copyOf(calls), Setup.LIMITS, call -> true);
        assertEquals(List.of(), Checker.check(history));
    }

    private static JsonNode inspect(LockClient replica, String name) {
        return replica.get("/locks/" + name).body();
    }

    private static void awaitAllUp(ServiceProcess replica) {
        LockClient client = replica.client();
        Eventually.within(LONG, () -> client.get("/nodes").body().toString(), () -> client.nodesUp() == 5);
    }
}
