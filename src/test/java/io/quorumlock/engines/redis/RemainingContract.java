// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Refused;
import io.quorumlock.testing.Ask;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The contract of remaining times, for every master, fake and real. */
abstract class RemainingContract extends FencingContract {
    /** Reads a clock that runs at the master's rate. */
    abstract MonotonicTime now();

    /** Advances the time of a master with virtual time. */
    void letTimePass() {}

    /** L1: only the grant and extensions set the end of a lock. */
    @Test
    void everyReplyContainsExactRemainingTime() {
        End granted = end(TTL, () -> acquire(A, "a1"));
        granted.assertIsIn(this::leftToAnother);
        granted.assertIsIn(this::leftToTheHolder);
        granted.assertIsIn(this::leftByInspection);
        ask(Ask.raise(resource, A, fence(5)));
        granted.assertIsIn(this::leftByInspection);
        ask(Ask.extend(resource, A, TTL.dividedBy(2)));
        granted.assertIsIn(this::leftByInspection);
        Duration longer = TTL.plusMillis(1_234);
        End extended = end(longer, () -> ask(Ask.extend(resource, A, longer)));
        extended.assertIsIn(this::leftByInspection);
        extended.assertIsIn(this::leftToTheHolder);
        extended.assertIsIn(this::leftToAnother);
    }

    /** R10: callers check the token by the age, even if the acquiring call ended before it checked the token. */
    @Test
    void reportsAgeUntilFenceIsRaised() {
        acquire(A, "a1");
        assertRecent(assertInstanceOf(Adopted.class, acquire(A, "a2")).age());
        assertRecent(extended().age());
        assertEquals(
                Optional.of(Duration.ZERO),
                assertInstanceOf(Adopted.class, acquire(A, "a3")).age());
        assertEquals(Optional.empty(), extended().age());
        ask(Ask.raise(resource, A, fence(9)));
        assertEquals(
                Optional.empty(),
                assertInstanceOf(Adopted.class, acquire(A, "a4")).age());
    }

    private Extended extended() {
        return assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
    }

    private static void assertRecent(Optional<Duration> age) {
        assertTrue(age.orElseThrow().compareTo(Duration.ofSeconds(20)) < 0, () -> "age: " + age);
    }

    private Duration leftToAnother() {
        return assertInstanceOf(Refused.class, acquire(B, "b1")).taken().get(0).remaining();
    }

    private Duration leftToTheHolder() {
        return assertInstanceOf(Adopted.class, acquire(A, "a2")).remaining();
    }

    private Duration leftByInspection() {
        return assertInstanceOf(Held.class, ask(Ask.inspect(resource)))
                .all()
                .get(0)
                .remaining();
    }

    private End end(Duration ttl, Runnable write) {
        MonotonicTime before = now();
        write.run();
        End end = new End(before.plus(ttl), now().plus(ttl));
        letTimePass();
        return end;
    }

    /** The bounds of the end of a lock, which was written between them. */
    private final class End {
        private final MonotonicTime earliest;
        private final MonotonicTime latest;

        End(MonotonicTime earliest, MonotonicTime latest) {
            this.earliest = earliest;
            this.latest = latest;
        }

        /** Redis uses whole milliseconds, so writes and reads can each be off by one. */
        void assertIsIn(Supplier<Duration> reading) {
            MonotonicTime before = now();
            Duration left = reading.get();
            Duration most = latest.since(before).plusMillis(2);
            Duration least = earliest.since(now()).minusMillis(2);
            assertTrue(
                    left.compareTo(least) >= 0 && left.compareTo(most) <= 0,
                    () -> least + " <= " + left + " <= " + most);
            letTimePass();
        }
    }
}
