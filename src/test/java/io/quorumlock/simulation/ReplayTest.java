// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A log of the events of one seed: {@code ./mvnw test -Dtest=ReplayTest -Dsimulation.seed=N}. */
class ReplayTest {

    @Test
    void printsSeedWithoutViolations() {
        String asked = System.getProperty("simulation.seed", "");
        String mutant = System.getProperty("simulation.mutant", "");
        long seed = asked.isEmpty() ? 1 : Long.parseLong(asked);
        if (!mutant.isEmpty()) {
            Mutant broken = Mutant.valueOf(mutant);
            List.of(broken.classes().replay(broken.scenario()).apply(seed)).forEach(System.out::println);
            return;
        }
        Scenario scenario = Scenario.valueOf(System.getProperty("simulation.scenario", "REDLOCK"));
        Run run = Simulation.run(seed, scenario, true);
        if (!asked.isEmpty()) {
            run.log().forEach(System.out::println);
            run.violations().forEach(System.out::println);
        }
        assertFalse(run.log().isEmpty());
        assertEquals(List.of(), run.violations());
    }
}
