// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica of this version and one of the previous version on the same masters: each understands what the other wrote. */
@Tag("nightly")
class MixedVersionsIT {
    private static final int TTL_MS = 30_000;
    /** The longest wait that the service allows. */
    private static final int WAIT_MS = 10_000;
    /** Below the TTL, and a limit that only a hang exceeds. */
    private static List<RedisServer> masters = List.of();

    private static ServiceProcess previous;
    private static ServiceProcess current;

    /** Which replica acquires the lock. The other one continues. */
    enum Order {
        PREVIOUS_FIRST,
        CURRENT_FIRST;

        ServiceProcess first() {
            return this == PREVIOUS_FIRST ? previous : current;
        }

        ServiceProcess second() {
            return this == PREVIOUS_FIRST ? current : previous;
        }

        String resource(String folder) {
            return folder + "/" + name().toLowerCase(Locale.ROOT);
        }
    }

    @BeforeAll
    static void start() {
        Path jar = PreviousVersion.jar();
        masters = RedisServers.start(5, Persistence.options());
        previous = ServiceProcess.startReady(jar, environment());
        current = ServiceProcess.startReady(environment());
    }

    /** A node timeout for a busy machine, on which masters may take long to sync. The contract allows 503 after it. */
    private static Map<String, String> environment() {
        Map<String, String> more = Map.of(
                "QUORUMLOCK_NODE_TIMEOUT", "1s", "QUORUMLOCK_TTL_MIN", "2s", "QUORUMLOCK_EXTENSIONS_MAX", "1000");
        return ServiceProcess.guarded(ServiceProcess.nodes(masters), more);
    }

    @AfterAll
    static void stop() {
        Stream.of(previous, current).filter(Objects::nonNull).forEach(ServiceProcess::close);
        RedisServers.close(masters);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void continuesLeaseOfOtherVersion(Order order) {
        String resource = order.resource("shared");
        LockClient first = order.first().client();
        LockClient second = order.second().client();
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
    void releaseWakesWaiterOfOtherVersion(Order order) {
        String resource = order.resource("awaited");
        LockClient first = order.first().client();
        LockClient second = order.second().client();
        Answer lease = first.acquire(resource, TTL_MS);
        CompletableFuture<Answer> waiting = Background.supply(() -> second.acquire(resource, TTL_MS, WAIT_MS));
        Eventually.holds("a waiter", () -> second.metric("quorumlock_waiters") == 1);
        // Without an announcement the waiter would ask again soon, so the grant alone does not show one.
        CompletableFuture<Answer> other = Background.supply(() -> {
            Answer answer = first.acquire(resource, TTL_MS, WAIT_MS);
            first.release(resource, answer.token());
            return answer;
        });
        String channel = "quorumlock:released:lock:" + resource;
        for (RedisServer master : masters) {
            Eventually.holds("both versions listen on one channel", () -> master.cli("PUBSUB", "NUMSUB", channel)
                    .endsWith(" 2]"));
        }
        assertEquals(204, first.release(resource, lease.token()).status());
        Answer woken = waiting.join();
        assertEquals(201, woken.status(), woken.body()::toString);
        assertTrue(fence(woken) > fence(lease), () -> lease.body() + " and then " + woken.body());
        assertEquals(204, second.release(resource, woken.token()).status());
        // The other waiter gets the lock before or after, or its wait has ended.
        assertTrue(
                Set.of(201, 423).contains(other.join().status()),
                () -> other.join().body().toString());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void listsAndBreaksLockOfOtherVersion(Order order) {
        String resource = order.resource("broken");
        Answer lease = order.first().client().acquire(resource, TTL_MS);
        LockClient second = order.second().client();
        Answer listing = second.get("/locks?prefix=" + resource);
        assertEquals(List.of(resource), listing.body().findValuesAsText("resource"));
        assertEquals(204, second.force(resource, "test", "r1").status());
        assertEquals(404, order.first().client().extend(resource, lease.token()).status());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void streamsEventsOfOtherVersion(Order order) {
        String resource = order.resource("watched");
        AtomicBoolean over = new AtomicBoolean();
        try (EventReader events = new EventReader(order.second().uri(), "/events?prefix=watched/")) {
            // Repeats the calls, because the first events precede the subscription.
            CompletableFuture<Void> locking = Background.run(() -> {
                LockClient first = order.first().client();
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

    /** Another key would be one that only one of the versions knows, for example a marker of its own. */
    @Test
    void versionsUseSameKeys() {
        Set<String> documented =
                Set.of("quorumlock:marker/", "quorumlock:quarantine/", "quorumlock:masters/", "quorumlock:longest/");
        for (RedisServer master : masters) {
            Set<String> keys = Set.of(master.cli("KEYS", "quorumlock:*")
                    .replaceAll("[\\[\\] ]", "")
                    .split(","));
            assertTrue(keys.contains("quorumlock:marker/") && documented.containsAll(keys), keys::toString);
        }
    }

    private static long fence(Answer answer) {
        assertTrue(answer.body().path("fencingToken").isIntegralNumber(), answer.body()::toString);
        return answer.body().path("fencingToken").asLong();
    }

    private static int extensionsLeft(Answer lease) {
        assertTrue(lease.body().has("extensionsLeft"), lease.body()::toString);
        return lease.body().path("extensionsLeft").asInt();
    }
}
