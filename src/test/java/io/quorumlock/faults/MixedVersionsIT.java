// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two versions on the same masters. */
@Tag("nightly")
class MixedVersionsIT extends MixedVersionsContract {
    private List<RedisServer> masters = List.of();

    /** A node timeout for a busy machine, on which masters may take long to sync. The contract allows 503 after it. */
    @Override
    Map<String, String> environment() {
        masters = RedisServers.start(5, Persistence.options());
        Map<String, String> more = Map.of(
                "QUORUMLOCK_NODE_TIMEOUT", "1s", "QUORUMLOCK_TTL_MIN", "2s", "QUORUMLOCK_EXTENSIONS_MAX", "1000");
        return ServiceProcess.guarded(ServiceProcess.nodes(masters), more);
    }

    @AfterAll
    @Override
    void stop() {
        super.stop();
        RedisServers.close(masters);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void releaseWakesWaiterOfOtherVersion(Order order) {
        String resource = order.resource("awaited");
        LockClient first = first(order).client();
        LockClient second = second(order).client();
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
}
