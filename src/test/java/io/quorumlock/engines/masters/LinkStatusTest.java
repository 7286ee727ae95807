// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LinkStatusTest {
    private static final MonotonicTime NOW = new MonotonicTime(0);

    private static final MasterAddress ADDRESS = new MasterAddress("redis://user:secret@Redis-1");

    private final LinkStatus status = new LinkStatus("node-1", ADDRESS, () -> NOW, () -> {});

    @Test
    void namesServerWithoutCredentials() {
        assertEquals("redis-1:6379", status.get().address());
    }

    @Test
    void masterWithoutVoteAlwaysHasReason() {
        assertEquals(Optional.of(ServerFailure.PENDING), status.get().problem());
        status.connected(false);
        assertEquals(Optional.of(ServerFailure.PENDING), status.get().problem());
        status.admitted();
        assertEquals(Optional.empty(), status.get().problem());
    }

    @Test
    void voteEndsProblem() {
        status.admitted();
        status.failed(ServerFailure.OOM, Optional.empty());
        status.voted();
        assertEquals(Optional.empty(), status.get().problem());
    }

    /** A release deletes, which a full master accepts. */
    @Test
    void masterThatRefusesWritesCountsAsDownUntilItAcceptsThem() {
        String words = "OOM command not allowed when used memory > 'maxmemory'.";
        status.admittedAsDown(ServerFailure.OOM, words);
        status.voted();
        status.failed(ServerFailure.TIMEOUT, Optional.empty());
        assertFalse(status.get().up());
        assertEquals(Optional.of(ServerFailure.OOM), status.get().problem());
        assertEquals(Optional.of(words), status.get().detail());
        assertTrue(status.mayVote());
        status.admitted();
        assertTrue(status.get().up());
        assertEquals(Optional.empty(), status.get().problem());
    }

    @Test
    void releaseDuringQuarantineDoesNotEndIt() {
        status.quarantined(NOW.plus(Duration.ofSeconds(3)), "restarted");
        status.voted();
        assertEquals(Optional.of(ServerFailure.QUARANTINED), status.get().problem());
    }

    @Test
    void wallClockAdvancesUntilReadingIsTooOld() {
        VirtualTime time = new VirtualTime();
        LinkStatus status = new LinkStatus("node-1", ADDRESS, time, () -> {});
        status.admitted();
        assertEquals(OptionalLong.empty(), status.wallClock());
        status.clockRead(time.now(), 5_000, 4_000);
        time.pass(Duration.ofSeconds(5));
        assertEquals(OptionalLong.of(10_000), status.wallClock());
        assertEquals(Optional.of(Duration.ofSeconds(1)), status.get().clockOffset());
        time.pass(Duration.ofMillis(1));
        assertEquals(OptionalLong.empty(), status.wallClock());
    }

    /** S3: a connection can lead to the server of another master, whose clock would then count twice. */
    @Test
    void wallClockIsUnknownUntilMasterVotes() {
        status.clockRead(NOW, 5_000, 4_000);
        assertEquals(OptionalLong.empty(), status.wallClock());
        status.admitted();
        assertEquals(OptionalLong.of(5_000), status.wallClock());
    }
}
