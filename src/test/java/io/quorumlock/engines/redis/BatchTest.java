// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands that reach a master in one call of the script: each has its own reply. */
class BatchTest {
    private static final LeaseToken A = new LeaseToken("token-of-client-A");
    private static final LeaseToken B = new LeaseToken("token-of-client-B");
    private static final ResourceName HELD = new ResourceName("held");
    private static final ResourceName OTHER = new ResourceName("other");
    private static final Duration TTL = Duration.ofSeconds(60);

    private final RedisServer redis = RedisServers.start(1).get(0);
    private final RealFleet fleet = new RealFleet(redis.url());

    @AfterEach
    void stop() {
        fleet.close();
        redis.close();
    }

    @Test
    void runsInOrder() {
        List<MasterReply> replies = fleet.askTogether(
                acquire(HELD, A), acquire(HELD, B), Ask.release(HELD, A), acquire(HELD, B), Ask.extend(HELD, B, TTL));
        assertInstanceOf(MasterReply.Granted.class, replies.get(0));
        assertInstanceOf(MasterReply.Refused.class, replies.get(1));
        assertInstanceOf(MasterReply.Deleted.class, replies.get(2));
        assertInstanceOf(MasterReply.Granted.class, replies.get(3));
        assertInstanceOf(MasterReply.Extended.class, replies.get(4));
    }

    /** Redis refuses no write of a script that has written. */
    @Test
    void releaseLetsNoAcquireInIfMemoryIsFull() {
        fleet.ask(acquire(HELD, A));
        redis.cli("CONFIG", "SET", "maxmemory", "1");
        List<MasterReply> replies = fleet.askTogether(Ask.release(HELD, A), acquire(OTHER, B), Ask.inspect(HELD));
        assertInstanceOf(MasterReply.Deleted.class, replies.get(0));
        assertEquals(new MasterReply.Failed(ServerFailure.OOM, true), replies.get(1));
        assertInstanceOf(MasterReply.Absent.class, replies.get(2));
    }

    /** The directory has the name of the file that Redis writes. */
    @Test
    void masterThatCannotSaveRefusesWritesOnly() throws IOException {
        fleet.ask(acquire(HELD, A));
        redis.cli("CONFIG", "SET", "save", "3600 1000000");
        String folder = redis.cli("CONFIG", "GET", "dir").replaceAll("^\\[dir, |\\]$", "");
        Files.createDirectory(Path.of(folder, "dump.rdb"));
        redis.cli("BGSAVE");
        Eventually.holds(
                "the save fails", () -> redis.cli("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
        List<MasterReply> replies =
                fleet.askTogether(Ask.release(HELD, A), acquire(OTHER, B), Ask.inspect(HELD), Ask.extend(HELD, A, TTL));
        MasterReply refused = new MasterReply.Failed(ServerFailure.MISCONF, true);
        assertEquals(refused, replies.get(0));
        assertEquals(refused, replies.get(1));
        assertInstanceOf(MasterReply.Held.class, replies.get(2));
        assertEquals(refused, replies.get(3));
    }

    @Test
    void errorOfOneCommandIsItsReply() {
        redis.cli("LPUSH", "lock:" + HELD, "of another program");
        List<MasterReply> replies = fleet.askTogether(acquire(HELD, A), acquire(OTHER, B));
        assertInstanceOf(MasterReply.Failed.class, replies.get(0));
        assertInstanceOf(MasterReply.Granted.class, replies.get(1));
    }

    @Test
    void failsAsAWholeIfScriptsAreFlushed() {
        List<MasterReply> replies;
        do {
            redis.cli("DEL", "lock:" + HELD, "lock:" + OTHER);
            redis.cli("SCRIPT", "FLUSH");
            replies = fleet.askTogether(acquire(HELD, A), acquire(OTHER, B));
            // Otherwise a heartbeat came between, after which the link loaded the scripts again.
        } while (replies.get(0) instanceof MasterReply.Granted);
        MasterReply failed = new MasterReply.Failed(ServerFailure.NOSCRIPT, true);
        assertEquals(List.of(failed, failed), replies);
        assertEquals("[]", redis.cli("KEYS", "lock:*"));
    }

    private static Ask acquire(ResourceName name, LeaseToken token) {
        return Ask.acquire(name, token, "a1", TTL, Optional.empty());
    }
}
