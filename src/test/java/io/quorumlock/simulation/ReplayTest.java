package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Shows what happened in one seed, line by line: {@code ./mvnw test -Dtest=ReplayTest -Dsimulation.seed=N}. */
class ReplayTest {

    @Test
    void theSeedIsToldAndKeepsEveryPromise() {
        Optional<Long> asked = Seeds.property("simulation.seed", System::getProperty);
        Tampering tampering = Optional.ofNullable(System.getProperty("simulation.mutant"))
                .map(name -> Mutant.valueOf(name).tampering)
                .orElse(Tampering.NONE);
        Run run = Simulation.run(asked.orElse(1L), tampering, true);
        if (asked.isPresent()) {
            run.story().forEach(System.out::println);
            run.violations().forEach(System.out::println);
        }
        assertFalse(run.story().isEmpty());
        assertEquals(List.of(), run.violations());
    }
}
