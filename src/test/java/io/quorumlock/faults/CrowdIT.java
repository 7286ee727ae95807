// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.StreamClient;
import io.quorumlock.testing.StreamClient.Answer;
import io.quorumlock.testing.TestSize;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Crowds of clients: more than the service admits, and more than read their answers. */
@Isolated
@Tag("nightly")
class CrowdIT {
    private static final int RESOURCES = 100;
    private static final int ADMITTED = TestSize.of("crowd.clients", 1_000);
    private static final int COMING = 2 * ADMITTED;
    /** Longer than the test, so that no lease expires during it. */
    private static final int TTL_MS = 1_800_000;

    private static final int WAIT_MS = 55_000;
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static LocalService service;

    @BeforeAll
    static void start() {
        service = LocalService.start(
                "-Dquorumlock.wait.max=1m",
                "-Dquorumlock.ttl.max=30m",
                "-Dquorumlock.waiters.max=" + ADMITTED,
                "-Dquarkus.http.access-log.enabled=true",
                "-Dquarkus.http.access-log.pattern=answered %s bytes=%b %q");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** R14 */
    @Test
    void servesAdmittedWaitersAndRejectsOthers() {
        List<String> tokens = IntStream.range(0, RESOURCES)
                .mapToObj(i -> service.client().acquire(name(i), TTL_MS).token())
                .toList();
        AtomicInteger served = new AtomicInteger();
        AtomicInteger rejected = new AtomicInteger();
        Queue<String> others = new ConcurrentLinkedQueue<>();
        try (StreamClient crowd = new StreamClient(service.uri(), COMING)) {
            for (int i = 0; i < COMING; i++) {
                String resource = name(i);
                crowd.acquire(resource, TTL_MS, WAIT_MS)
                        .compose(answer -> follow(crowd, resource, answer, served, rejected))
                        .onFailure(failure -> others.add(failure.toString()));
            }
            Eventually.within(LONG, () -> rejected + " rejected " + others, () -> rejected.get() == COMING - ADMITTED);
            Eventually.within(LONG, "all wait", () -> service.client().metric("quorumlock_waiters") == ADMITTED);
            Eventually.within(LONG, "unrelated", () -> isAcquired("unrelated"));
            for (int i = 0; i < RESOURCES; i++) {
                // If a master is late, the service repeats the release.
                service.client().release(name(i), tokens.get(i));
            }
            Eventually.within(LONG, () -> served + " served " + others, () -> served.get() == ADMITTED);
        }
        assertEquals(List.of(), List.copyOf(others));
        assertNoWaiters();
    }

    private static Future<Answer> follow(
            StreamClient crowd, String resource, Answer answer, AtomicInteger served, AtomicInteger rejected) {
        if (answer.problem().equals("too-many-waiters") && answer.status() == 429) {
            rejected.incrementAndGet();
            return Future.succeededFuture(answer);
        }
        if (answer.status() == 423 || answer.status() == 503) {
            // On a slow machine its wait ended first, or masters did not answer in time: its place is free, and it
            // waits again.
            return crowd.acquire(resource, TTL_MS, WAIT_MS)
                    .compose(again -> follow(crowd, resource, again, served, rejected));
        }
        if (answer.status() != 201) {
            return Future.failedFuture(answer.toString());
        }
        return crowd.release(resource, answer.token()).onSuccess(released -> served.incrementAndGet());
    }

    /**
     * R11, N. A lease may remain only if its whole answer was written before the service read the reset, because the
     * service cannot know that the answer did not arrive.
     */
    @Test
    void resetRequestsLeaveNothingBehind() {
        Random random = new Random(1);
        // A quick service may answer all of them before the next one arrives.
        Eventually.within(LONG, "a request waits", () -> {
            resetRequests(random);
            return waits() > 0;
        });
        for (int i = 0; i < 5; i++) {
            String resource = reset(i);
            Eventually.within(LONG, resource, () -> isFreeOrAnswered(resource));
        }
        assertTrue(!service.output().contains("ERROR"), service::output);
    }

    /** A slow machine may be busy with the last of the crowd and answer 503 at first. */
    private static boolean isAcquired(String resource) {
        return service.client().acquire(resource, TTL_MS).status() == 201;
    }

    private void resetRequests(Random random) {
        AtomicInteger open = new AtomicInteger();
        try (StreamClient crowd = new StreamClient(service.uri(), 1_000)) {
            for (int i = 0; i < ADMITTED; i++) {
                open.incrementAndGet();
                boolean unfinished = random.nextInt(4) == 0;
                int after = random.nextInt(20);
                String terms = "?ttlMs=" + TTL_MS + "&waitMs=" + WAIT_MS + "&owner=request-" + i;
                crowd.open(HttpMethod.POST, "/locks/" + reset(random.nextInt(5)) + terms)
                        .onSuccess(request -> crowd.resetAfter(request, unfinished, after))
                        .onComplete(done -> open.decrementAndGet());
                if (i % 500 == 0) {
                    Eventually.within(LONG, () -> open + " requests wait for a connection", () -> open.get() < 500);
                }
            }
            Eventually.within(LONG, () -> open + " requests wait for a connection", () -> open.get() == 0);
            assertNoWaiters();
        }
    }

    private double waits() {
        return service.client()
                .get("/q/metrics")
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith("quorumlock_wait_seconds_count"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private boolean isFreeOrAnswered(String resource) {
        JsonNode lock = service.client().get("/locks/" + resource).body();
        return !lock.path("held").asBoolean() || wasAnswered(lock.path("owner").asText());
    }

    /** Returns whether the whole answer was written. A request that was reset before has status 200 and no bytes. */
    private boolean wasAnswered(String owner) {
        return service.output()
                .lines()
                .anyMatch(line -> line.matches(".* answered 201 bytes=\\d+ .*") && line.endsWith("&owner=" + owner));
    }

    private void assertNoWaiters() {
        Eventually.within(LONG, "no waiters left", () -> service.client().metric("quorumlock_waiters") == 0);
    }

    private static String name(int i) {
        return "crowd/" + i % RESOURCES;
    }

    private static String reset(int i) {
        return "reset/" + i;
    }
}
