// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** R9 end to end: a lease on a bare majority, with one of its masters restarted empty. */
@Tag("nightly")
@Proves("R9")
class RestartGuardIT {
    private static final int TTL_MS = 20_000;
    private static final Duration QUARANTINE = Duration.ofMillis(TTL_MS + 202 + 1_000);

    @Test
    void masterThatLostDataDoesNotVoteDuringQuarantine() {
        List<RedisServer> masters = RedisServers.start(5, Persistence.options());
        Map<String, String> environment = ServiceProcess.guarded(
                ServiceProcess.nodes(masters),
                Map.of("QUORUMLOCK_TTL_DEFAULT", "5s", "QUORUMLOCK_TTL_MAX", TTL_MS + "ms"));
        try (ServiceProcess service = ServiceProcess.startReady(environment, ServiceProcess.SLOW_MASTERS)) {
            LockClient client = service.client();
            masters.subList(3, 5).forEach(RedisServer::suspend);
            Answer lease = client.acquire("bare/majority", TTL_MS);
            assertEquals(201, lease.status(), lease.body()::toString);
            masters.get(2).killAndEmpty();
            masters.get(2).start();
            masters.subList(3, 5).forEach(RedisServer::resume);
            // The service may be disconnected from the suspended ones for a while.
            Eventually.holds(service::output, () -> quarantineMs(client) > 0 && client.nodesUp() == 4);
            for (int i = 0; i < 5; i++) {
                assertEquals(423, client.acquire("bare/majority", TTL_MS).status());
            }
            assertQuarantineEnds(service, client);
        } finally {
            RedisServers.close(masters);
        }
    }

    private static void assertQuarantineEnds(ServiceProcess service, LockClient client) {
        Answer first = client.get("/nodes");
        assertTrue(quarantineMs(first) <= QUARANTINE.toMillis(), first.body()::toString);
        assertTrue(client.get("/q/metrics")
                .response()
                .body()
                .contains("quorumlock_node_quarantine_seconds{node=\"node-3\"}"));
        Eventually.holds("a shorter quarantine", () -> isShorter(client.get("/nodes"), first));
        Eventually.within(QUARANTINE.plus(Eventually.LONGEST), service::output, () -> client.nodesUp() == 5);
        Eventually.holds(
                service::output, () -> client.acquire("bare/majority", TTL_MS).status() == 201);
    }

    /** Fails if the quarantine is not shorter after two seconds. */
    private static boolean isShorter(Answer later, Answer first) {
        boolean shorter = quarantineMs(later) < quarantineMs(first);
        long between = later.sent() - first.received();
        assertTrue(shorter || between < Duration.ofSeconds(2).toNanos(), later.body()::toString);
        return shorter;
    }

    private static long quarantineMs(LockClient client) {
        return quarantineMs(client.get("/nodes"));
    }

    private static long quarantineMs(Answer nodes) {
        return nodes.body().path("nodes").get(2).path("quarantineMs").asLong();
    }
}
