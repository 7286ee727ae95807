// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: heartbeats with round trips read the clocks of five masters, while the own clock may stop. */
@Proves("L2")
class ClockReadingsTest extends ClockFixture {
    /** S1: the master is set by 280 ms while the machine is suspended, and the first reply after it is late by 300 ms. */
    @Test
    void detectsStepDuringSuspensionInSlowReading() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        masters.get(0).ahead = Duration.ofMillis(280);
        masters.get(0).beat(Duration.ZERO, Duration.ofMillis(300));
        masters.subList(1, 5).forEach(master -> master.beat(Duration.ZERO, Duration.ofMillis(1)));
        beatAll(60);
        masters.subList(1, 5).forEach(master -> assertFalse(master.watch.isSuspected()));
        assertTrue(masters.get(0).watch.isStepped(), "was set by 280 ms");
    }

    /** S1: a suspension that the round trip hides explains a real step minutes later. */
    @Test
    void detectsStepLongAfterHiddenSuspension() {
        masters.get(0).way = Duration.ofMillis(30);
        beatAll(10);
        stopped = stopped.plusMillis(60);
        beatAll(300);
        masters.forEach(master -> master.watch.confirmed());
        masters.get(0).ahead = Duration.ofMillis(105);
        beatAll(10);
        assertTrue(masters.get(0).watch.isStepped(), "a step of 105 ms, five minutes after a suspension of 60 ms");
    }

    /** L2: two masters are 120 ms away. */
    @Test
    void acceptsStopOfOwnClockWithDistantMasters() {
        masters.subList(3, 5).forEach(master -> master.way = Duration.ofMillis(60));
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        beatAll(10);
        masters.forEach(master -> assertFalse(master.watch.isSuspected()));
    }

    /** L2: after the suspension, the network is back half a minute later, or more. All masters are healthy. */
    @Test
    void acceptsSuspensionWithLateConnections() {
        for (int seconds : new int[] {30, 60, 120}) {
            beatAll(10);
            stopped = stopped.plusSeconds(300);
            time.pass(Duration.ofSeconds(seconds));
            beatAll(3);
            long stepped = masters.stream()
                    .filter(master -> master.watch.isSuspected())
                    .count();
            assertEquals(0, stepped, "quarantined masters if the network is back after " + seconds + " s");
        }
    }

    /** S1: a real step of one master while two masters return that show an earlier pause, of which no majority was seen. */
    @Test
    void detectsStepWhileMastersReturnWithEarlierPause() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        beat(List.of(masters.get(0), masters.get(1)), 10);
        // Master 4 returns. Like the others it was quarantined for the pause, since there was no majority.
        beat(List.of(masters.get(0), masters.get(1), masters.get(4)), 10);
        masters.forEach(master -> master.watch.confirmed());
        masters.get(4).ahead = Duration.ofSeconds(5);
        List.of(4, 2, 3, 0, 1).forEach(master -> masters.get(master).beat());
        beatAll(3);
        assertTrue(masters.get(4).watch.isStepped());
    }

    /**
     * S1: the first request after a suspension is late by 95 ms, and the master is set by 95 ms within the next second, while it votes.
     * Both its usual round trip and the tolerated step are far shorter.
     */
    @Test
    void detectsStepAfterSlowReadingThatShowedSuspension() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        masters.get(0).beat(Duration.ofMillis(95), masters.get(0).way);
        masters.subList(1, 5).forEach(Master::beat);
        masters.get(0).ahead = Duration.ofMillis(95);
        beatAll(60);
        assertEquals(List.of(true, false, false, false, false), suspected(), "was set by 95 ms");
    }

    /** L2: the first requests after the stop are late by 150 ms on their way to the masters, for example because TCP repeats them. */
    @Test
    void acceptsStopOfOwnClockWithDelayedRequests() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        masters.forEach(master -> master.beat(Duration.ofMillis(150), Duration.ofMillis(1)));
        beatAll(3);
        masters.forEach(master -> assertFalse(master.watch.isSuspected()));
    }

    /** L2: as {@link #acceptsSuspensionWithLateConnections}, with clock rates that differ by less than 2,000 ppm. */
    @ParameterizedTest
    @ValueSource(ints = {-500, -50, 0, 50, 500, 1_000})
    void acceptsSuspensionWithLateConnectionsAndOtherRates(int ppm) {
        gainPpm = ppm;
        beatAll(60);
        masters.forEach(master -> assertFalse(master.watch.isSuspected()));
        stopped = stopped.plusSeconds(300);
        time.pass(Duration.ofSeconds(120));
        beatAll(3);
        masters.forEach(master -> assertFalse(master.watch.isSuspected()));
    }

    /** L2: the first replies of three masters after a pause are late by 80 ms, those of the others are not. */
    @Test
    void acceptsPauseAfterLateRepliesOfMajority() {
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        masters.subList(0, 3).forEach(master -> master.beat(master.way, Duration.ofMillis(80)));
        masters.subList(3, 5).forEach(Master::beat);
        beatAll(3);
        assertEquals(List.of(false, false, false, false, false), suspected());
    }

    /** L2: the machine is suspended while the first replies of all masters are on their way. */
    @Test
    void acceptsSuspensionDuringFirstReading() {
        List<Runnable> replies = masters.stream().map(Master::ask).toList();
        stopped = stopped.plusSeconds(5);
        replies.forEach(Runnable::run);
        beatAll(3);
        assertEquals(List.of(false, false, false, false, false), suspected());
    }

    /** L2: two masters were 120 ms away and are 2 ms away after the pause, for example because the machine was moved. */
    @Test
    void acceptsStopThatShortensPath() {
        masters.subList(3, 5).forEach(master -> master.way = Duration.ofMillis(60));
        beatAll(10);
        stopped = stopped.plusSeconds(5);
        masters.subList(3, 5).forEach(master -> master.way = Duration.ofMillis(1));
        beatAll(10);
        assertEquals(List.of(false, false, false, false, false), suspected());
    }
}
