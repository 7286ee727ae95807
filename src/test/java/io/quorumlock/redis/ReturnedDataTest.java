// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: a node leads to another server, whose data are taken for a copy, and then to its own server again. */
class ReturnedDataTest {
    private static final int MISDIRECTED = 5;

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    /** S1: the own data are older than the votes of the copy. The wall clock of the machine with the copy may be behind. */
    @ParameterizedTest
    @ValueSource(ints = {0, 120_000})
    void olderDataCauseQuarantine(int behindMillis) {
        Duration quarantine = Duration.ofSeconds(2);
        GuardedServer ownDisk = server("run-with-own-disk", quarantine, 0);
        GuardedServer copiedDisk = server("run-with-copied-disk", quarantine, behindMillis);
        GuardedServer second = server("run-of-second", quarantine, behindMillis);
        FleetHistory replica = new FleetHistory(3, new Random(1));
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

    /** L2: the own server ran all the time, and another replica used it. Only the wrong address of one replica is corrected. */
    @Test
    void correctedAddressLeavesQuorumToOtherReplica() {
        Duration quarantine = Duration.ofSeconds(60);
        List<GuardedServer> servers = List.of(
                server("first", quarantine, 0), server("second", quarantine, 0), server("third", quarantine, 0));
        FleetHistory healthy = new FleetHistory(3, new Random(1));
        FleetHistory misdirected = new FleetHistory(3, new Random(2));
        connect(healthy, servers, "found");
        connect(misdirected, servers, "ask");
        for (int i = 0; i <= MISDIRECTED; i++) {
            millis += 1_000;
            votes(healthy, servers);
            servers.get(1).connect(misdirected, "node-1", "ask");
            servers.get(2).check(misdirected, "node-3");
        }
        for (int i = 0; i < 120; i++) {
            millis += 500;
            servers.get(1).check(misdirected, "node-1");
            servers.get(2).check(misdirected, "node-3");
            millis += 500;
            assertTrue(votes(healthy, servers) >= 2, "no quorum " + i + " s after the wrong address");
        }
        assertEquals(3, votes(healthy, servers));
        millis += 100;
        connect(misdirected, servers.subList(0, 2), "ask");
        for (int i = 0; i < 120; i++) {
            millis += 400;
            assertTrue(votes(healthy, servers) >= 2, "no quorum " + i + " s after the correction");
            millis += 600;
            votes(misdirected, servers);
        }
        assertEquals(3, votes(healthy, servers));
    }

    private static void connect(FleetHistory replica, List<GuardedServer> servers, String occasion) {
        for (int i = 0; i < servers.size(); i++) {
            servers.get(i).connect(replica, "node-" + (i + 1), occasion);
        }
    }

    private static int votes(FleetHistory replica, List<GuardedServer> servers) {
        int votes = 0;
        for (int i = 0; i < servers.size(); i++) {
            votes += servers.get(i).check(replica, "node-" + (i + 1)) == 0 ? 1 : 0;
        }
        return votes;
    }

    private GuardedServer server(String runId, Duration quarantine, int behindMillis) {
        return new GuardedServer(
                runId, 3, quarantine, () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis - behindMillis)));
    }
}
