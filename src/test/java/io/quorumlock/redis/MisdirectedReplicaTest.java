// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** L2: a fleet of three, of which one replica was misdirected. The other replica stays correct. */
class MisdirectedReplicaTest {
    private static final int MISDIRECTED = 5;
    private static final Duration QUARANTINE = Duration.ofSeconds(60);

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final GuardedServer first = server("run-of-first");
    private final GuardedServer second = server("run-of-second");
    private final GuardedServer third = server("run-of-third");
    private final FleetHistory here = new FleetHistory(3, new Random(1));
    private final FleetHistory elsewhere = new FleetHistory(3, new Random(2));

    @BeforeEach
    void found() {
        for (FleetHistory history : List.of(here, elsewhere)) {
            String occasion = history == here ? "found" : "ask";
            first.connect(history, "node-1", occasion);
            second.connect(history, "node-2", occasion);
            third.connect(history, "node-3", occasion);
        }
    }

    /** Only the other replica was misdirected, to the server of one node. All servers are healthy. */
    @Test
    void healthyReplicaKeepsQuorum() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            millis += 1_000;
            beat();
            second.connect(elsewhere, "node-1", "ask");
        }
        for (int i = 0; i < 120; i++) {
            millis += 500;
            second.check(elsewhere, "node-1");
            millis += 500;
            assertTrue(beat() >= 2, "no quorum " + i + " s after one of three masters was taken for a copy");
        }
    }

    /** Returns the number of nodes that vote for the correct replica. */
    private int beat() {
        int votes = first.check(here, "node-1") == 0 ? 1 : 0;
        votes += second.check(here, "node-2") == 0 ? 1 : 0;
        return votes + (third.check(here, "node-3") == 0 ? 1 : 0);
    }

    private GuardedServer server(String runId) {
        return new GuardedServer(runId, 3, QUARANTINE, () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
}
