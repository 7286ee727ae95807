// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunOrderTest {

    @Test
    void usesNewSeedAndTwoMinutesByDefault() {
        assertEquals(new RunOrder(77, Duration.ofMinutes(2)), RunOrder.read(name -> "", 77));
        assertEquals(new RunOrder(77, Duration.ofMinutes(2)), RunOrder.read(name -> null, 77));
    }

    @Test
    void commandRepeatsRun() {
        RunOrder order = RunOrder.read(Map.of("faults.seed", "5", "faults.minutes", "0.5")::get, 77);
        assertEquals(new RunOrder(5, Duration.ofSeconds(30)), order);
        assertEquals(
                "./mvnw verify -Pnightly -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=RandomFaultsIT"
                        + " -Dfaults.minutes=0.5 -Dfaults.seed=5",
                order.command());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1e99", "99999"})
    void rejectsInvalidMinutes(String bad) {
        assertRejected("faults.minutes", Map.of("faults.minutes", bad));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "99999999999999999999"})
    void rejectsInvalidSeeds(String bad) {
        assertRejected("faults.seed", Map.of("faults.seed", bad));
    }

    private static void assertRejected(String property, Map<String, String> properties) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> RunOrder.read(properties::get, 77));
        assertTrue(refused.getMessage().startsWith(property), refused::getMessage);
        assertTrue(refused.getMessage().contains(properties.get(property)), refused::getMessage);
    }
}
