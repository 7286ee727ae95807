// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A log of the events of one seed: {@code ./mvnw test -Dtest=ReplayTest -Dsimulation.seed=N}. */
class ReplayTest {

    @Test
    void printsSeedWithoutViolations() {
        Options options = new Options(System.getProperties());
        Optional<Long> seed = options.seed();
        Optional<Mutant> mutant = options.mutant();
        if (mutant.isPresent()) {
            mutant.get().replay(seed.orElse(1L)).forEach(System.out::println);
            return;
        }
        Run run = Simulation.run(seed.orElse(1L), false, true);
        if (seed.isPresent()) {
            run.story().forEach(System.out::println);
            run.violations().forEach(System.out::println);
        }
        assertFalse(run.story().isEmpty());
        assertEquals(List.of(), run.violations());
    }
}
