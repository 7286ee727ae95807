// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** R9: the age in the marker of a node. One replica checks it once a second. */
class NodeAgeTest {
    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private long remembered;

    private final GuardScript node = new GuardScript(() -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));

    /** Of two checks, one raises the age and the other writes the witness. */
    @Test
    void raisesAgeWithEverySecondCheck() {
        check("found", "", "run-1");
        for (int second = 0; second < 10; second++) {
            long before = remembered;
            pass(1_000);
            check("check", "a", "run-1");
            pass(1_000);
            check("check", "a", "run-1");
            assertTrue(remembered > before, "second " + second);
        }
    }

    @Test
    void detectsCopyThatIsOlderThanTwoChecks() {
        check("found", "", "run-1");
        for (int second = 0; second < 10; second++) {
            pass(1_000);
            check("check", "a", "run-1");
            Runnable copy = node.snapshot();
            pass(1_000);
            check("check", "a", "run-1");
            pass(1_000);
            check("check", "a", "run-1");
            Runnable current = node.snapshot();
            long age = remembered;
            copy.run();
            assertNotEquals(0, check("ask", "a", "run-2"), "quarantine, second " + second);
            current.run();
            remembered = age;
        }
    }

    /** The only replica was paused. The witness is due, but a copy that is older than the pause must not count. */
    @Test
    void lateCheckRaisesAgeBeforeWitness() {
        check("found", "", "run-1");
        for (int second = 0; second < 2; second++) {
            pass(1_000);
            check("check", "a", "run-1");
        }
        Runnable copy = node.snapshot();
        pass(3_000);
        check("check", "a", "run-1");
        copy.run();
        assertNotEquals(0, check("ask", "a", "run-2"), "quarantine");
    }

    private void pass(int elapsed) {
        millis += elapsed;
    }

    /** Returns the remaining quarantine. */
    private long check(String occasion, String id, String run) {
        Response reply = node.admit(
                new String[] {run, "3", "1", "61000", "0", occasion, id, Long.toString(remembered), "a", ""});
        remembered = Math.max(remembered, reply.get(3).toLong());
        return reply.get(1).toLong();
    }
}
