// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The delays between the attempts of a queue, alone on a replica and among many. */
@Proves("R12")
class DelaysTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Optional<LeaseToken> OURS = Optional.of(new LeaseToken("token-of-client-A"));

    private final Delays alone = new Delays(new Random(1), () -> 1);
    private final Delays amongMany = new Delays(new Random(1), () -> 40_000);

    @Test
    void sleepsForSecondsWhileReleasesAreAnnounced() {
        assertBetween(15_000, 30_001, () -> alone.whileHeld(held(OURS, false, false), TTL, true));
        assertBetween(250, 501, () -> alone.whileHeld(held(OURS, false, false), TTL, false));
    }

    @Test
    void pollsOtherPrograms() {
        assertBetween(0, 501, () -> alone.whileHeld(held(Optional.empty(), false, false), TTL, true));
    }

    @Test
    void doesNotPollKeptLocks() {
        assertBetween(15_000, 30_001, () -> alone.whileHeld(held(Optional.empty(), true, false), TTL, true));
    }

    /** All queues together make about a thousand attempts a second, also while masters are away. */
    @Test
    void makesFewerAttemptsAmongManyQueues() {
        assertBetween(20_000, 40_001, () -> amongMany.whileHeld(held(OURS, false, false), TTL, true));
        assertBetween(20_000, 40_001, () -> amongMany.whileHeld(held(OURS, false, false), TTL, false));
        assertBetween(20_000, 40_001, () -> amongMany.whileHeld(held(Optional.empty(), false, false), TTL, true));
        assertBetween(20_000, 40_001, amongMany::afterNoQuorum);
        assertBetween(0, 40_000, amongMany::afterGap);
    }

    /** A writer keeps new readers out for two seconds, and asks again before. */
    @Test
    void asksForSharedLocksInTime() {
        assertBetween(2_000, 2_000, alone::reservation);
        assertBetween(750, 1_501, () -> alone.whileHeld(held(OURS, false, true), TTL, true));
    }

    /** With many queues, it keeps them out for longer. */
    @Test
    void asksForManySharedLocksInTime() {
        assertBetween(53_333, 53_333, amongMany::reservation);
        assertBetween(20_000, 40_001, () -> amongMany.whileHeld(held(OURS, false, true), TTL, true));
        assertBetween(20_000, 40_001, () -> amongMany.whileHeld(held(OURS, false, true), TTL, false));
    }

    @Test
    void wakesAtTheEndOfTheLease() {
        Held soon = held(OURS, false, false).later(TTL.minusMillis(300));
        assertBetween(301, 301, () -> alone.whileHeld(soon, TTL, true));
        assertBetween(301, 301, () -> amongMany.whileHeld(soon, TTL, true));
    }

    private static Held held(Optional<LeaseToken> holder, boolean kept, boolean shared) {
        ResourceName resource = new ResourceName("orders/42");
        return new Held(
                List.of(new Held.Taken(resource, Optional.empty(), TTL, holder, kept, shared)), false, Duration.ZERO);
    }

    private static void assertBetween(int least, int most, Supplier<Duration> delay) {
        for (int i = 0; i < 100; i++) {
            long millis = delay.get().toMillis();
            assertTrue(millis >= least && millis <= most, () -> millis + " ms");
        }
    }
}
