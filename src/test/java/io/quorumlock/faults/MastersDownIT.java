// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.http.OpenApiContract;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.MachineDelay;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packaged service while masters fail and return. */
@Isolated
@Proves({"L2", "L3", "R15"})
class MastersDownIT {
    private static final int TTL_MS = 60_000;
    /** A limit that is far longer than any node timeout and far shorter than a hang, for busy machines. */
    private static final Duration NO_HANG = Duration.ofSeconds(5);

    private static final MachineDelay MACHINE = new MachineDelay();

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    private static LocalService service;
    private static LockClient client;
    private static int count;

    enum Fault {
        KILLED(RedisServer::kill, RedisServer::start),
        SUSPENDED(RedisServer::suspend, RedisServer::resume);

        final Consumer<RedisServer> begin;
        final Consumer<RedisServer> end;

        Fault(Consumer<RedisServer> begin, Consumer<RedisServer> end) {
            this.begin = begin;
            this.end = end;
        }
    }

    @BeforeAll
    static void start() {
        service = LocalService.start(ServiceProcess.SLOW_MASTERS);
        client = service.client();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @AfterEach
    void awaitRecovery() {
        Eventually.holds(service::output, () -> client.nodesUp() == 5 && client.isReady());
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void servesAllOperationsWithoutMinority(Fault fault) {
        during(fault, 2, () -> {
            for (int i = 0; i < 20; i++) {
                String resource = "minority/" + ++count;
                Answer lease = client.acquire(resource, TTL_MS);
                assertEquals(201, lease.status(), lease.body()::toString);
                assertEquals(200, client.extend(resource, lease.token()).status());
                assertEquals(423, client.acquire(resource, TTL_MS).status());
                assertEquals(204, client.release(resource, lease.token()).status());
            }
            assertTrue(client.isReady());
        });
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void reportsNoQuorumWithoutMajorityInTime(Fault fault) {
        String resource = "majority/" + ++count;
        Answer lease = client.acquire(resource, TTL_MS);
        during(fault, 3, () -> {
            assertNoQuorum("POST", client.acquire("majority/other", TTL_MS), "no-quorum");
            assertNoQuorum("PUT", client.extend(resource, lease.token()), "no-quorum");
            assertNoQuorum("DELETE", client.release(resource, lease.token()), "release-incomplete");
            assertNoQuorum("GET", client.get("/locks/" + resource), "no-quorum");
            Eventually.holds("not ready", () -> !client.isReady());
            String health = client.get("/q/health/ready").response().body();
            assertTrue(health.contains("node-1") && health.contains("node-3"), health);
            assertEquals(200, client.get("/q/health/live").status());
            assertTrue(logged("locks unavailable: 2 of 5 masters vote, 3 are required"), service::output);
        });
        Eventually.holds(service::output, () -> logged("locks available again: "));
    }

    private static boolean logged(String line) {
        return service.output().contains(line);
    }

    /** A release that too few masters received is completed when they return. */
    @Test
    void completesReleaseWhenMajorityReturns() {
        Answer lease = client.acquire("freed", 60_000);
        during(Fault.SUSPENDED, 3, () -> client.release("freed", lease.token()));
        Eventually.holds("free", () -> {
            Answer again = client.acquire("freed", TTL_MS);
            return again.status() == 201
                    && client.release("freed", again.token()).status() == 204;
        });
    }

    private static void assertNoQuorum(String method, Answer answer, String problem) {
        assertEquals(503, answer.status());
        assertEquals(problem, answer.problem());
        Duration most = NO_HANG.plus(MACHINE.total());
        assertTrue(answer.took().compareTo(most) < 0, () -> "took " + answer.took() + ", at most " + most);
        String path = answer.response().request().uri().getPath();
        CONTRACT.check(
                method,
                path,
                answer.status(),
                answer.headers(),
                answer.response().body());
    }

    private static void during(Fault fault, int many, Runnable work) {
        List<RedisServer> hit = service.masters().subList(0, many);
        hit.forEach(fault.begin);
        try {
            work.run();
        } finally {
            hit.forEach(fault.end);
        }
    }
}
