// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: clock steps of masters. A master whose wall clock stepped may have dropped locks too early. */
@Proves("R9")
class MasterClockTest {
    private static final long WALL = 1_800_000_000_000_000L;
    private final MasterClock clock = new MasterClock();

    @Test
    void firstReadingShowsNoStep() {
        assertEquals(Duration.ZERO, read(0, 1, 0));
    }

    @Test
    void detectsNoStepOfSteadyClock() {
        for (int millis = 0; millis < 100_000; millis += 1_000) {
            assertEquals(Duration.ZERO, read(millis, millis + 2, millis + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-3_600_000, -500, -20, 20, 500, 3_600_000})
    void detectsStepWithNextReading(int step) {
        read(0, 0, 0);
        Duration seen = read(100, 100, 100 + step);
        assertTrue(Math.abs(step - seen.toMillis()) <= 1, seen::toString);
        assertEquals(Duration.ZERO, read(200, 200, 200 + step), "seen twice");
    }

    @Test
    void slowReplyHidesOnlyItsOwnDuration() {
        read(0, 0, 0);
        assertEquals(Duration.ZERO, read(100, 400, 390), "may have been read at any time in between");
        assertTrue(read(500, 900, 1_000).toMillis() >= 90, "was read at 900 at the latest");
    }

    /** Earlier fast replies limit the uncertainty of a slow reply. */
    @Test
    void slowReplyKeepsEarlierBounds() {
        read(0, 0, 0);
        read(10, 410, 200);
        assertTrue(read(420, 420, 520).toMillis() >= 90);
    }

    /** NTP slews by 500 ppm at most; two machines can slew in opposite directions. */
    @Test
    void toleratesNtpSlewing() {
        for (int millis = 0; millis < 1_000_000; millis += 1_000) {
            assertEquals(Duration.ZERO, read(millis, millis, millis + millis / 1_000));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1, -1, -8})
    void detectsCreepingClock(int percent) {
        long gained = 0;
        for (int millis = 0; millis < 10_000 && gained == 0; millis += 5) {
            gained = read(millis, millis, millis + millis * percent / 100).toMillis();
        }
        assertTrue(Math.abs(gained) >= 10 && Math.abs(gained) < 20, "detected after " + gained + " ms");
        assertEquals(percent > 0, gained > 0);
    }

    @Test
    void detectsSmallStepsThatAddUp() {
        int jumps = 0;
        while (jumps < 500 && read(jumps * 20, jumps * 20, jumps * 29).isZero()) {
            jumps++;
        }
        assertEquals(2, jumps);
    }

    @Test
    void worksWithAnyClockOrigin() {
        long origin = Long.MAX_VALUE - 1_000_000;
        clock.read(new MonotonicTime(origin), new MonotonicTime(origin), WALL);
        MonotonicTime later = new MonotonicTime(origin + 100_000_000);
        clock.read(later, later, WALL + 100_000);
        assertTrue(clock.accept());
    }

    @Test
    void movedBoundsFit() {
        read(0, 0, 0);
        clock.move(new MasterClock.Shift(299_000_000, 301_000_000));
        assertEquals(Duration.ZERO, read(100, 100, 400));
    }

    /** Reads the clock, and begins again after a step. Returns the certain part of the step. */
    private Duration read(long sentMillis, long receivedMillis, long shownMillis) {
        Duration moved = shown(sentMillis, receivedMillis, shownMillis);
        if (!clock.accept()) {
            clock.restart();
            return moved;
        }
        return Duration.ZERO;
    }

    private Duration shown(long sentMillis, long receivedMillis, long shownMillis) {
        clock.read(moment(sentMillis), moment(receivedMillis), WALL + shownMillis * 1_000);
        return Duration.ofNanos(clock.shift().distance());
    }

    private static MonotonicTime moment(long millis) {
        return new MonotonicTime(millis * 1_000_000);
    }
}
