// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What two replicas of the packaged service promise on a real store, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConsensusServiceContract {
    private static final int TTL = 30_000;
    private static final int WAIT = 10_000;
    private static final String TOKEN = "token-of-a-client";
    private static final int SLOTS = 64;
    private static final String SEMAPHORE = "semaphore?slots=" + SLOTS;

    private ServiceProcess one;
    private ServiceProcess two;
    private LockClient first;
    private LockClient second;

    /** Returns the settings that choose the store. */
    protected abstract Map<String, String> environment();

    /** Returns all records of a service with these settings, and whatever shows that one was written again. */
    protected abstract String written(Map<String, String> environment) throws Exception;

    @BeforeAll
    void start() {
        Map<String, String> environment = environment();
        one = ServiceProcess.startReady(environment);
        two = ServiceProcess.startReady(environment);
        first = one.client();
        second = two.client();
    }

    @AfterAll
    void stop() {
        if (two != null) {
            one.close();
            two.close();
        }
    }

    /** The first root has the lock that a start inspects, and the second one does not exist. */
    @Test
    @Tag("nightly")
    void checkWritesNothing() throws Exception {
        Map<String, String> used = environment();
        try (ServiceProcess service = ServiceProcess.startReady(used)) {
            assertEquals(201, service.client().acquire("warm-up", TTL).status());
        }
        for (Map<String, String> settings : List.of(used, environment())) {
            String before = written(settings);
            Map<String, String> open = new HashMap<>(settings);
            open.put("QUORUMLOCK_SECURITY_OPEN", "true");
            Shell.Result check =
                    new Shell(Path.of(""), open).run(Duration.ofSeconds(60), ServiceProcess.command("--check"));
            assertEquals(0, check.status(), check::output);
            assertTrue(check.output().contains("1 of 1 servers are up, 1 are required"), check::output);
            assertEquals(before, written(settings));
        }
    }

    @Test
    void replicasShareLocks() {
        Answer lease = first.acquire("shared", TTL);
        assertEquals(201, lease.status());
        assertEquals(423, second.acquire("shared", TTL).status());
        assertEquals(200, second.extend("shared", lease.token()).status());
        assertEquals(204, second.release("shared", lease.token()).status());
        Answer next = first.acquire("shared", TTL);
        long fence = lease.body().path("fencingToken").asLong();
        assertTrue(next.body().path("fencingToken").asLong() > fence, () -> next.body() + " after " + fence);
    }

    @Test
    void onlyTheFencingTokenOfTheHolderPassesTheCheck() {
        Answer late = first.acquire("fenced", TTL);
        assertEquals(204, fence(late));
        assertEquals(204, first.release("fenced", late.token()).status());
        assertEquals(403, fence(late));
        Answer next = second.acquire("fenced", TTL);
        assertEquals(403, fence(late));
        assertEquals(204, fence(next));
    }

    private int fence(Answer lease) {
        return second.get("/locks/fenced/fence?token="
                        + lease.body().path("fencingToken").asLong())
                .status();
    }

    @Test
    void releaseWakesWaiterOfOtherReplica() {
        Answer lease = first.acquire("waited", TTL);
        CompletableFuture<Answer> waiter = Background.supply(() -> second.acquire("waited", TTL, WAIT));
        assertEquals(204, first.release("waited", lease.token()).status());
        assertEquals(201, waiter.join().status());
    }

    @Test
    void operatorsListAndBreakLocks() {
        first.acquire("listed/a", TTL);
        assertEquals("listed/a", names("listed"));
        assertEquals(204, second.force("listed/a", "test", "request-1").status());
        assertEquals("", names("listed"));
    }

    private String names(String prefix) {
        return second.get("/locks?prefix=" + prefix).body().path("locks").findValuesAsText("resource").stream()
                .reduce("", String::concat);
    }

    @Test
    void reportsEventsOfOtherReplica() {
        try (EventReader events = new EventReader(two.uri(), "/events?prefix=told")) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> locking = Background.run(() -> {
                while (!over.get()) {
                    first.release("told", first.acquire("told", TTL).token());
                }
            });
            events.nextStarting("event: acquired");
            events.nextStarting("event: released");
            over.set(true);
            locking.join();
        }
    }

    @Test
    void acquiresSeveralLocksOrNone() {
        String both = "names=set/1&names=set/2";
        Answer set = first.several("POST", "/locks", both, TOKEN);
        assertEquals(201, set.status());
        List<String> fences = set.body().path("leases").findValuesAsText("fencingToken");
        assertEquals(fences.get(0), fences.get(1));
        Answer refused = second.several("POST", "/locks", "names=set/2&names=set/3", "another-" + TOKEN);
        assertEquals(423, refused.status());
        assertEquals(List.of("set/2"), refused.body().path("held").findValuesAsText("name"));
        assertEquals(200, second.several("PUT", "/locks/extend", both, TOKEN).status());
        first.force("set/1", "test", "request-2");
        Answer lost = second.several("PUT", "/locks/extend", both, TOKEN);
        assertEquals("set/1", lost.body().path("lost").asText());
        assertEquals(404, first.several("DELETE", "/locks", both, TOKEN).status());
    }

    @Test
    void keepsLockAfterRelease() {
        Answer lease = first.acquire("kept", TTL);
        assertEquals(204, first.release("kept?keepMs=5000", lease.token()).status());
        Answer refused = second.acquire("kept", TTL);
        assertEquals(423, refused.status());
        assertTrue(refused.body().path("kept").asBoolean());
    }

    @Test
    void severalClientsHoldSharedLocksAndSemaphores() {
        for (String kind : List.of("mode=shared", "slots=2")) {
            String name = "several-" + kind.length();
            assertEquals(201, first.acquire(name + "?" + kind, TTL).status());
            assertEquals(201, second.acquire(name + "?" + kind, TTL).status());
            assertEquals(
                    2, first.get("/locks/" + name).body().path("holderCount").asInt());
            assertEquals(423, second.acquire(name, TTL).status());
        }
    }

    /** A replica refuses only after a read, so it does not miss a slot that the other one has just freed. */
    @Test
    void twoReplicasFillAndEmptySemaphoreWithoutRefusal() {
        for (int round = 1; round <= 3; round++) {
            List<Answer> leases = atOnce(slot -> client(slot).acquire(SEMAPHORE, TTL));
            assertEquals(Set.of(201), statuses(leases), "round " + round);
            assertEquals(423, first.acquire(SEMAPHORE, TTL).status());
            // By the other replica.
            List<Answer> releases = atOnce(slot ->
                    client(slot + 1).release("semaphore", leases.get(slot).token()));
            assertEquals(Set.of(204), statuses(releases), "round " + round);
        }
    }

    private LockClient client(int slot) {
        return slot % 2 == 0 ? first : second;
    }

    private static List<Answer> atOnce(IntFunction<Answer> call) {
        ExecutorService clients = Executors.newFixedThreadPool(SLOTS);
        List<CompletableFuture<Answer>> answers = IntStream.range(0, SLOTS)
                .mapToObj(slot -> CompletableFuture.supplyAsync(() -> call.apply(slot), clients))
                .toList();
        clients.shutdown();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static Set<Integer> statuses(List<Answer> answers) {
        return answers.stream().map(Answer::status).collect(Collectors.toSet());
    }

    @Test
    void showsServersAndLatencyOfTheStore() {
        JsonNode fleet = first.get("/nodes").body();
        assertEquals(1, fleet.path("up").asInt());
        assertEquals(1, fleet.path("total").asInt());
        assertEquals(
                environment().get("QUORUMLOCK_ENGINE"), fleet.path("engine").asText());
        JsonNode server = fleet.path("nodes").get(0);
        assertTrue(List.of("standalone", "leader").contains(server.path("role").asText()), server::toString);
        assertTrue(server.path("latencyMs").asDouble() > 0, server::toString);
        assertEquals(201, first.acquire("measured", TTL).status());
        String metrics = first.get("/q/metrics").response().body();
        assertTrue(metrics.contains("quorumlock_node_command_seconds_count{command=\"commit\",node=\"store\"}"));
        assertTrue(metrics.contains("quorumlock_node_up{node=\"node-1\"} 1.0"));
        assertTrue(
                metrics.contains("quorumlock_node_failures_total{node=\"store\",reason=\"timeout\"} 0.0"),
                "the series exists before the first failure");
    }
}
