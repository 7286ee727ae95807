// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.StreamClient;
import io.quorumlock.testing.StreamClient.Answer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hundreds of simultaneous requests to a service that allows one in flight, and more only for extensions and releases.
 */
@Tag("nightly")
class OverloadIT {
    private static final int MANY = 400;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String UNKNOWN_TOKEN = "a-token-of-nobody";

    private static ServiceProcess service;
    private static LockClient client;
    private static StreamClient crowd;

    @BeforeAll
    static void start() {
        service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_EMBEDDED", "true",
                "QUORUMLOCK_NODE_TIMEOUT", "5s",
                "QUORUMLOCK_TTL_MIN", "10s",
                "QUORUMLOCK_REQUESTS_MAX_IN_FLIGHT", "1"));
        client = service.client();
        crowd = new StreamClient(service.uri(), 3 * MANY);
    }

    @AfterAll
    static void stop() {
        crowd.close();
        service.close();
    }

    @Test
    void rejectsAcquiresButServesReleases() {
        List<Future<Answer>> acquires = many(i -> crowd.acquire("overload/" + i, 60_000, 0));
        List<Future<Answer>> releases = many(i -> crowd.release("overload/free/" + i, UNKNOWN_TOKEN));
        List<Answer> answers = answers(acquires);
        long granted = answers.stream().filter(answer -> answer.status() == 201).count();
        long rejected = answers.stream()
                .filter(answer -> answer.status() == 503 && answer.problem().equals("overloaded"))
                .count();
        assertEquals(MANY, granted + rejected, answers::toString);
        assertTrue(granted > 0 && rejected > 0, () -> granted + " granted, " + rejected + " rejected");
        answers(releases).forEach(answer -> assertEquals("lease-not-found", answer.problem()));
        assertEquals(rejected, client.metric("quorumlock_requests_shed_total{lane=\"open\"}"));
        assertEquals(0, client.metric("quorumlock_requests_shed_total{lane=\"reserved\"}"));
        awaitNoneInFlight();
    }

    /** Waiters have their own limits. */
    @Test
    void doesNotCountWaitersAsInFlight() {
        awaitNoneInFlight();
        LockClient.Answer lease = client.acquire("overload/waited-for", 60_000);
        CompletableFuture<LockClient.Answer> waiting =
                Background.supply(() -> client.acquire("overload/waited-for", 60_000, 10_000));
        Eventually.within(LONG, "one waiter", () -> client.metric("quorumlock_waiters") == 1);
        awaitNoneInFlight();
        assertEquals(201, client.acquire("overload/other", 60_000).status());
        client.release("overload/waited-for", lease.token());
        assertEquals(201, waiting.join().status());
    }

    /** A request is in flight until shortly after its answer. */
    private static void awaitNoneInFlight() {
        Eventually.within(LONG, "none in flight", () -> client.metric("quorumlock_requests_in_flight") == 0);
    }

    private static List<Future<Answer>> many(IntFunction<Future<Answer>> call) {
        return IntStream.range(0, MANY).mapToObj(call).toList();
    }

    private static List<Answer> answers(List<Future<Answer>> calls) {
        return calls.stream()
                .map(call -> call.toCompletionStage()
                        .toCompletableFuture()
                        .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS)
                        .join())
                .toList();
    }
}
