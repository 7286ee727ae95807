// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.testing.Proves;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@Proves({"S2", "R4"})
class DriftTest {
    private final Drift drift = new Drift(0.01, Duration.ofMillis(2));

    @Test
    void driftIsFractionOfTtlPlusConstant() {
        assertEquals(Duration.ofMillis(302), drift.of(Duration.ofSeconds(30)));
    }

    @Test
    void validityIsTtlLessElapsedAndDrift() {
        assertEquals(Duration.ofMillis(9_888), drift.validity(Duration.ofSeconds(10), Duration.ofMillis(10)));
    }

    @Test
    void roundsValidityDown() {
        assertEquals(Duration.ofMillis(9_887), drift.validity(Duration.ofSeconds(10), Duration.ofNanos(10_000_001)));
    }

    @Test
    void validityIsZeroWhenElapsedAndDriftUseUpTtl() {
        assertEquals(Duration.ZERO, drift.validity(Duration.ofMillis(1000), Duration.ofMillis(988)));
        assertEquals(Duration.ZERO, drift.validity(Duration.ofMillis(1000), Duration.ofMillis(2000)));
    }

    @Test
    void rejectsFactorOfOneOrMore() {
        assertThrows(IllegalArgumentException.class, () -> new Drift(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new Drift(Double.NaN, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new Drift(0, Duration.ofMillis(-1)));
    }
}
