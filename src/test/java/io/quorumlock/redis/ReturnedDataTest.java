package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** R9: a master voted with a copy of another one's data, and then returns with its own, older data. */
class ReturnedDataTest {
    private static final int MISDIRECTED = 5;
    private static final Duration QUARANTINE = Duration.ofSeconds(2);

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final GuardedServer ownDisk = server("run-with-own-disk");
    private final GuardedServer copiedDisk = server("run-with-copied-disk");
    private final GuardedServer second = server("run-of-second");
    private final FleetHistory replica = new FleetHistory(3, new Random(1));

    @Test
    void olderDataCauseQuarantine() {
        ownDisk.connect(replica, "node-1", "found");
        second.connect(replica, "node-2", "found");
        millis += 1_000;
        ownDisk.check(replica, "node-1");
        // The copy has the id of node 2.
        copiedDisk.connect(replica, "node-2", "ask");
        for (int i = 0; i <= MISDIRECTED; i++) {
            millis += 1_000;
            copiedDisk.connect(replica, "node-1", "ask");
        }
        long left = 1;
        for (int beat = 0; beat < 60; beat++) {
            millis += 1_000;
            left = copiedDisk.check(replica, "node-1");
        }
        assertEquals(0, left, "node 1 votes with the copy");
        ownDisk.connect(replica, "node-1", "ask");
        assertTrue(
                ownDisk.check(replica, "node-1") > 0,
                "votes at once with data that are a minute old, without the votes of this minute");
    }

    private GuardedServer server(String runId) {
        return new GuardedServer(runId, 3, QUARANTINE, () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
}
