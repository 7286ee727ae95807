// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica of this version and one of the previous version on the same servers: each understands what the other wrote. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MixedVersionsContract {
    static final int TTL_MS = 30_000;
    /** The longest wait that the service allows. */
    static final int WAIT_MS = 10_000;

    private ServiceProcess previous;
    private ServiceProcess current;

    /** Which replica acquires the lock. The other one continues. */
    enum Order {
        PREVIOUS_FIRST,
        CURRENT_FIRST;

        String resource(String folder) {
            return folder + "/" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** Starts the servers, and returns the settings of both replicas. */
    abstract Map<String, String> environment();

    @BeforeAll
    void start() {
        Path jar = PreviousVersion.jar();
        Map<String, String> environment = environment();
        previous = ServiceProcess.startReady(jar, environment);
        current = ServiceProcess.startReady(environment);
    }

    @AfterAll
    void stop() {
        Stream.of(previous, current).filter(Objects::nonNull).forEach(ServiceProcess::close);
    }

    ServiceProcess first(Order order) {
        return order == Order.PREVIOUS_FIRST ? previous : current;
    }

    ServiceProcess second(Order order) {
        return order == Order.PREVIOUS_FIRST ? current : previous;
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void continuesLeaseOfOtherVersion(Order order) {
        String resource = order.resource("shared");
        LockClient first = first(order).client();
        LockClient second = second(order).client();
        Answer lease = first.acquire(resource + "?owner=worker%201", TTL_MS);
        assertEquals(201, lease.status(), lease.body()::toString);
        Answer refused = second.acquire(resource, TTL_MS);
        assertEquals(423, refused.status(), refused.body()::toString);
        assertEquals("worker 1", refused.body().path("owner").asText());
        assertEquals(fence(lease), fence(second.get("/locks/" + resource)));
        Answer repeated = second.acquire(resource + "?owner=worker%201&token=" + lease.token(), TTL_MS);
        assertEquals(200, repeated.status(), repeated.body()::toString);
        assertEquals(fence(lease), fence(repeated));
        assertEquals(extensionsLeft(lease) - 1, extensionsLeft(second.extend(resource, lease.token())));
        assertEquals(extensionsLeft(lease) - 2, extensionsLeft(first.extend(resource, lease.token())));
        assertEquals(204, second.release(resource, lease.token()).status());
        assertEquals(404, first.extend(resource, lease.token()).status());
        Answer later = second.acquire(resource, TTL_MS);
        assertTrue(fence(later) > fence(lease), () -> lease.body() + " and then " + later.body());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void sharesKindsOfLocks(Order order) {
        LockClient first = first(order).client();
        LockClient second = second(order).client();
        for (String kind : List.of("mode=shared", "slots=2")) {
            String resource = order.resource("kinds-" + kind.length());
            Answer one = first.acquire(resource + "?" + kind, TTL_MS);
            Answer other = second.acquire(resource + "?" + kind, TTL_MS);
            assertEquals(201, one.status(), one.body()::toString);
            assertEquals(201, other.status(), other.body()::toString);
            assertEquals(
                    2,
                    first.get("/locks/" + resource).body().path("holderCount").asInt());
            assertEquals(423, second.acquire(resource, TTL_MS).status());
            assertEquals(200, second.extend(resource, one.token()).status());
            assertEquals(204, second.release(resource, one.token()).status());
            assertEquals(204, first.release(resource, other.token()).status());
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void writerThatWaitsKeepsOutReadersOfOtherVersion(Order order) {
        String resource = order.resource("written");
        LockClient first = first(order).client();
        LockClient second = second(order).client();
        Answer reader = first.acquire(resource + "?mode=shared", TTL_MS);
        assertEquals(201, reader.status(), reader.body()::toString);
        CompletableFuture<Answer> writer = Background.supply(() -> second.acquire(resource, TTL_MS, WAIT_MS));
        Eventually.holds("a reader got in", () -> {
            Answer later = first.acquire(resource + "?mode=shared", TTL_MS);
            assertTrue(List.of(201, 423).contains(later.status()), later.body()::toString);
            return later.status() == 423
                    || first.release(resource, later.token()).status() != 204;
        });
        assertEquals(204, first.release(resource, reader.token()).status());
        Answer written = writer.join();
        assertEquals(201, written.status(), written.body()::toString);
        assertEquals(204, first.release(resource, written.token()).status());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void listsAndBreaksLockOfOtherVersion(Order order) {
        String resource = order.resource("broken");
        Answer lease = first(order).client().acquire(resource, TTL_MS);
        LockClient second = second(order).client();
        Answer listing = second.get("/locks?prefix=" + resource);
        assertEquals(List.of(resource), listing.body().findValuesAsText("resource"));
        assertEquals(204, second.force(resource, "test", "r1").status());
        assertEquals(404, first(order).client().extend(resource, lease.token()).status());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void streamsEventsOfOtherVersion(Order order) {
        String resource = order.resource("watched");
        AtomicBoolean over = new AtomicBoolean();
        try (EventReader events = new EventReader(second(order).uri(), "/events?prefix=watched/")) {
            // Repeats the calls, because the first events precede the subscription.
            CompletableFuture<Void> locking = Background.run(() -> {
                LockClient first = first(order).client();
                while (!over.get()) {
                    first.release(resource, first.acquire(resource, TTL_MS).token());
                }
            });
            assertTrue(events.data("acquired").contains(resource));
            assertTrue(events.data("released").contains(resource));
            over.set(true);
            locking.join();
        } finally {
            over.set(true);
        }
    }

    static long fence(Answer answer) {
        assertTrue(answer.body().path("fencingToken").isIntegralNumber(), answer.body()::toString);
        return answer.body().path("fencingToken").asLong();
    }

    private static int extensionsLeft(Answer lease) {
        assertTrue(lease.body().has("extensionsLeft"), lease.body()::toString);
        return lease.body().path("extensionsLeft").asInt();
    }
}
