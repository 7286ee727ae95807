// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.engines.masters.FakeClocks.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The comparison of clocks of which some are far away. */
class DistantClocksTest {
    /** S1: three of seven masters are set by 80 ms during a pause. The readings of two distant masters fit to both movements. */
    @Test
    void judgesStepsDuringPauseWithDistantMasters() {
        FakeClocks seven = new FakeClocks(7);
        readWithDistantMasters(seven, 3);
        seven.pause(Duration.ofMillis(300));
        seven.masters.subList(0, 3).forEach(master -> master.ahead = Duration.ofMillis(80));
        readWithDistantMasters(seven, 6);
        seven.masters.subList(0, 3).forEach(master -> assertTrue(master.judgements.contains(true)));
        seven.masters.subList(3, 7).forEach(master -> assertFalse(master.judgements.contains(true)));
    }

    private static void readWithDistantMasters(FakeClocks seven, int times) {
        for (int i = 0; i < times; i++) {
            seven.masters.subList(0, 5).forEach(FakeClock::read);
            seven.masters.subList(5, 7).forEach(master -> master.read(Duration.ofMillis(50), Duration.ofMillis(50)));
        }
    }
}
