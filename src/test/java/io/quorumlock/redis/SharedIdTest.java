// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R2, R9: the history of a replica after a misdirected connection has lasted for more than five attempts. */
class SharedIdTest {
    private static final int MISDIRECTED = 5;
    private static final Duration QUARANTINE = Duration.ofSeconds(2);

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final GuardedServer first = server("run-of-first");
    private final GuardedServer second = server("run-of-second");
    private final FleetHistory here = new FleetHistory(3, new Random(1));
    private final FleetHistory elsewhere = new FleetHistory(3, new Random(2));

    @BeforeEach
    void found() {
        first.connect(here, "node-1", "found");
        second.connect(here, "node-2", "found");
        first.connect(elsewhere, "node-1", "ask");
        second.connect(elsewhere, "node-2", "ask");
    }

    /** Node 2 is connected to its own server, and the address of node 1 leads there too. */
    @Test
    void oneServerNeverVotesAsTwoNodes() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(here, "node-1", "ask");
        }
        for (int beat = 0; beat < 30; beat++) {
            millis += 500;
            long asSecond = second.check(here, "node-2");
            millis += 500;
            long asFirst = second.check(here, "node-1");
            assertTrue(asFirst > 0 || asSecond > 0, "the server votes as node 1 and as node 2");
        }
    }

    /** Only the other replica was misdirected, and it stops afterwards. */
    @Test
    void bothServersVoteAgain() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(elsewhere, "node-1", "ask");
        }
        int together = 0;
        for (int beat = 0; beat < 120; beat++) {
            millis += 500;
            long left = first.check(here, "node-1");
            millis += 500;
            left += second.check(here, "node-2");
            together = left == 0 ? together + 1 : 0;
        }
        assertTrue(together > 0, "at least one of two is in quarantine after two minutes");
    }

    private GuardedServer server(String runId) {
        return new GuardedServer(runId, 3, QUARANTINE, () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
}
