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

/** R9, L3: two masters have exchanged their addresses, and two replicas know them by each other's id. */
class SwappedIdsTest {
    private static final int MISDIRECTED = 5;
    private static final Duration QUARANTINE = Duration.ofSeconds(2);

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final GuardedServer first = server("run-of-first");
    private final GuardedServer second = server("run-of-second");
    private final FleetHistory before = new FleetHistory(3, new Random(1));
    private final FleetHistory after = new FleetHistory(3, new Random(2));

    @BeforeEach
    void found() {
        first.connect(before, "node-1", "found");
        second.connect(before, "node-2", "found");
    }

    /** The addresses were exchanged for good, and the other replica has started after that. */
    @Test
    void bothServersVoteAgainAfterLastingExchange() {
        second.connect(after, "node-1", "ask");
        first.connect(after, "node-2", "ask");
        misdirect();
        assertVoteAgain(second, first);
    }

    /** Only one replica used old addresses for too long. Its connections stay open, the others are correct. */
    @Test
    void bothServersVoteAgainAlthoughOneReplicaStaysMisdirected() {
        first.connect(after, "node-1", "ask");
        second.connect(after, "node-2", "ask");
        misdirect();
        assertVoteAgain(first, second);
    }

    private void misdirect() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(before, "node-1", "ask");
            first.connect(before, "node-2", "ask");
        }
    }

    private void assertVoteAgain(GuardedServer asFirst, GuardedServer asSecond) {
        int votes = 0;
        for (int beat = 0; beat < 1_200; beat++) {
            millis += 250;
            long left = second.check(before, "node-1") + first.check(before, "node-2");
            millis += 250;
            left += asFirst.check(after, "node-1") + asSecond.check(after, "node-2");
            votes = left == 0 ? votes + 1 : 0;
        }
        assertTrue(votes > 0, "in quarantine after ten minutes, with a quarantine of two seconds");
    }

    private GuardedServer server(String runId) {
        return new GuardedServer(runId, 3, QUARANTINE, () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
}
