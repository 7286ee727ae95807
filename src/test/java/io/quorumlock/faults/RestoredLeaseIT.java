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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** R7 end to end, on masters without persistence: a lease that is extended survives what the fleet survives. */
@Tag("nightly")
@Proves({"L2", "R7"})
class RestoredLeaseIT {
    private static final int TTL_MS = 4_000;
    private static final Duration SOON = Duration.ofSeconds(30);

    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static LockClient client;

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "true",
                "QUORUMLOCK_NODE_TIMEOUT",
                "500ms",
                "QUORUMLOCK_TTL_MIN",
                TTL_MS + "ms",
                "QUORUMLOCK_TTL_DEFAULT",
                TTL_MS + "ms",
                "QUORUMLOCK_TTL_MAX",
                TTL_MS + "ms"));
        client = service.client();
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    /** A lease of three masters may end with the first of them. */
    @BeforeEach
    void awaitAllMasters() {
        Eventually.within(SOON, service::output, () -> client.nodesUp() == 5);
    }

    /** Two masters are down at its grant, and two others later. */
    @Test
    void leaseSurvivesTheLossOfMastersThatGrantedIt() {
        masters.subList(3, 5).forEach(RedisServer::kill);
        Lease lease = Lease.acquire("restored/minority");
        masters.subList(3, 5).forEach(RedisServer::start);
        Eventually.within(SOON, service::output, () -> lease.isExtended() && client.nodesUp() == 5);
        Eventually.within(SOON, service::output, () -> lease.isExtended() && lease.votes() == 5);
        masters.subList(0, 2).forEach(RedisServer::kill);
        Eventually.within(SOON, service::output, () -> lease.isExtended() && client.nodesUp() == 3);
        assertEquals(3, lease.votes());
        masters.subList(0, 2).forEach(RedisServer::start);
        assertEquals(204, client.release(lease.resource(), lease.token()).status());
    }

    /** Each restart loses all data, and the next one follows as soon as all masters vote. The third would end the lease. */
    @Test
    void leaseSurvivesRollingRestart() {
        Lease lease = Lease.acquire("restored/restarts");
        for (RedisServer master : masters.subList(0, 3)) {
            master.kill();
            Eventually.within(SOON, service::output, () -> lease.isExtended() && client.nodesUp() == 4);
            master.start();
            Eventually.within(SOON, service::output, () -> lease.isExtended() && client.nodesUp() == 5);
        }
        Eventually.within(SOON, service::output, () -> lease.isExtended() && lease.votes() == 5);
        assertEquals(204, client.release(lease.resource(), lease.token()).status());
    }

    private record Lease(String resource, String token) {

        static Lease acquire(String resource) {
            AtomicReference<Answer> answer = new AtomicReference<>();
            Eventually.within(SOON, service::output, () -> {
                answer.set(client.acquire(resource, TTL_MS));
                return answer.get().status() == 201;
            });
            return new Lease(resource, answer.get().token());
        }

        /** Fails if the lease is lost. A busy machine may answer too late. */
        boolean isExtended() {
            Answer answer = client.extend(resource, token);
            assertTrue(answer.status() == 200 || answer.status() == 503, answer.body()::toString);
            return answer.status() == 200;
        }

        int votes() {
            return client.get("/locks/" + resource)
                    .body()
                    .path("votes")
                    .path("granted")
                    .asInt();
        }
    }
}
