// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopStallsTest {
    private final VirtualTime time = new VirtualTime();
    private final LoopStalls stalls = new LoopStalls(time.engineContext(1));

    @BeforeEach
    void start() {
        stalls.start();
    }

    @Test
    void reportsLongestRecentStall() {
        stall(300);
        stall(200);
        assertEquals(Optional.of(Duration.ofMillis(200)), stalls.recent());
        time.pass(Duration.ofSeconds(10));
        assertEquals(Optional.empty(), stalls.recent());
        stall(150);
        assertEquals(Optional.of(Duration.ofMillis(50)), stalls.recent());
    }

    @Test
    void toleratesShortDelays() {
        time.pass(Duration.ofSeconds(1));
        stall(120);
        assertEquals(Optional.empty(), stalls.recent());
    }

    /** The loop does not run for this time, just after it ran. */
    private void stall(int millis) {
        time.stall(Duration.ofMillis(millis));
        time.pass(Duration.ZERO);
    }
}
