// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.redis.FleetHistory.NodeHistory;
import io.quorumlock.time.MonotonicClock;
import io.vertx.redis.client.Response;
import java.time.Duration;

/** A master that runs only the script of the restart guard. Replicas connect to it under any alias. */
final class GuardedServer {
    private final GuardScript guard;
    private final String runId;
    private final int nodes;
    private final Duration quarantine;

    /** @param clock the wall clock in nanoseconds since the epoch */
    GuardedServer(String runId, int nodes, Duration quarantine, MonotonicClock clock) {
        this.guard = new GuardScript(clock);
        this.runId = runId;
        this.nodes = nodes;
        this.quarantine = quarantine;
    }

    /** Connects a replica to this server, unless it takes it for the server of another node. */
    void connect(FleetHistory replica, String alias, String occasion) {
        NodeHistory known = history(guard.admit(new String[] {"", "0", "0", "0", "0", "look", "", "0", "", ""}));
        if (replica.misdirected(alias, known).isEmpty()) {
            replica.introduce(alias, known);
            ask(replica, alias, occasion);
        }
    }

    /** Returns the remaining quarantine in milliseconds, after a check by a replica. */
    long check(FleetHistory replica, String alias) {
        return ask(replica, alias, "check");
    }

    private long ask(FleetHistory replica, String alias, String occasion) {
        FleetHistory.Expectation expected = replica.expect(alias);
        Response answer = guard.admit(new String[] {
            runId,
            Integer.toString(nodes),
            "1",
            Long.toString(quarantine.toMillis()),
            Long.toString(expected.longest().toMillis()),
            occasion,
            expected.id(),
            Long.toString(expected.age()),
            expected.newId(),
            expected.others()
        });
        assertEquals(1, answer.get(0).toInteger());
        replica.admitted(alias, history(answer));
        return answer.get(1).toLong();
    }

    private static NodeHistory history(Response answer) {
        return new NodeHistory(
                answer.get(2).toString(),
                answer.get(3).toLong(),
                Duration.ofMillis(answer.get(4).toLong()),
                NodeHistory.ages(answer.get(5).toString()));
    }
}
