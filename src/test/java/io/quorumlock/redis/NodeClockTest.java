// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: clock steps of nodes. A node whose wall clock stepped may have dropped locks too early. */
class NodeClockTest {
    private static final long WALL = 1_800_000_000_000_000L;
    private final NodeClock clock = new NodeClock();

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
        clock.read(new MonotonicTime(origin), new MonotonicTime(origin), WALL, WALL / 1_000);
        clock.restart(Optional.empty());
        MonotonicTime later = new MonotonicTime(origin + 100_000_000);
        clock.read(later, later, WALL + 100_000, WALL / 1_000 + 100);
        assertTrue(clock.accept());
    }

    /** The kernel reports a suspension, and the first reading after it shows it. */
    @Test
    void suspensionMovesBounds() {
        read(0, 0, 0);
        assertEquals(4_999, shown(100, 100, 5_100).toMillis());
        clock.suspended(Optional.of(Duration.ofSeconds(5)));
        assertTrue(clock.accept());
        clock.suspended(Optional.of(Duration.ofSeconds(5)));
        assertTrue(read(200, 200, 10_200).toMillis() > 4_900, "the same suspension explains one movement only");
    }

    /** The node was suspended together with this machine, and its clock is corrected later. */
    @Test
    void suspensionThatWasNotShownExplainsNothingLater() {
        read(0, 0, 0);
        shown(100, 100, 100);
        clock.suspended(Optional.of(Duration.ofSeconds(5)));
        assertTrue(clock.accept());
        shown(200, 200, 5_200);
        clock.suspended(Optional.of(Duration.ofSeconds(5)));
        assertFalse(clock.accept());
    }

    /** The round trip is longer than the suspension, so that the reading may show it or not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 60})
    void slowReadingIncludesBothCases(int moved) {
        read(0, 0, 0);
        shown(100, 200, 160);
        clock.suspended(Optional.of(Duration.ofMillis(60)));
        assertTrue(clock.accept());
        assertEquals(Duration.ZERO, read(300, 300, 300 + moved));
        assertTrue(read(400, 400, 600).toMillis() >= 130);
    }

    @Test
    void stepDuringSuspensionDoesNotFit() {
        read(0, 0, 0);
        shown(100, 100, 5_145);
        clock.suspended(Optional.of(Duration.ofSeconds(5)));
        assertFalse(clock.accept());
    }

    @Test
    void rebasedBoundsFit() {
        read(0, 0, 0);
        clock.rebase(new NodeClock.Shift(299_000_000, 301_000_000), Optional.empty(), moment(50));
        assertEquals(Duration.ZERO, read(100, 100, 400));
    }

    @ParameterizedTest
    @CsvSource({"300, 100, true", "300, 400, false", "-300, 100, false", "5, 100, false"})
    void ownStopMovesNodeForwardWithoutOwnWallClock(int moved, int ownWall, boolean isOwnStop) {
        read(0, 0, 0);
        clock.read(moment(100), moment(100), WALL + (100 + moved) * 1_000, WALL / 1_000 + ownWall);
        assertEquals(isOwnStop, clock.showsOwnStop(Optional.empty()));
    }

    /** Reads the clock, and begins again after a step. Returns the certain part of the step. */
    private Duration read(long sentMillis, long receivedMillis, long shownMillis) {
        Duration moved = shown(sentMillis, receivedMillis, shownMillis);
        if (clock.isNew() || !clock.accept()) {
            clock.restart(Optional.of(Duration.ZERO));
            return moved;
        }
        return Duration.ZERO;
    }

    private Duration shown(long sentMillis, long receivedMillis, long shownMillis) {
        clock.read(
                moment(sentMillis), moment(receivedMillis), WALL + shownMillis * 1_000, WALL / 1_000 + receivedMillis);
        return Duration.ofNanos(clock.shift().distance());
    }

    private static MonotonicTime moment(long millis) {
        return new MonotonicTime(millis * 1_000_000);
    }
}
