// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.redis.FakeClocks.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The comparison of clocks of which some are far away. */
class DistantClocksTest {
    /** S1: three of seven masters are set by 80 ms during a pause. The readings of two distant masters fit to both movements. */
    @Test
    void judgesStepsDuringPauseWithDistantNodes() {
        FakeClocks seven = new FakeClocks(7);
        readWithDistantNodes(seven, 3);
        seven.pause(Duration.ofMillis(300));
        seven.nodes.subList(0, 3).forEach(node -> node.ahead = Duration.ofMillis(80));
        readWithDistantNodes(seven, 6);
        seven.nodes.subList(0, 3).forEach(node -> assertTrue(node.judgements.contains(true)));
        seven.nodes.subList(3, 7).forEach(node -> assertFalse(node.judgements.contains(true)));
    }

    private static void readWithDistantNodes(FakeClocks seven, int times) {
        for (int i = 0; i < times; i++) {
            seven.nodes.subList(0, 5).forEach(FakeClock::read);
            seven.nodes.subList(5, 7).forEach(node -> node.read(Duration.ofMillis(50), Duration.ofMillis(50)));
        }
    }
}
