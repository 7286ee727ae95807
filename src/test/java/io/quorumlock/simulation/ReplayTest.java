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
        Options options = new Options(System.getProperties());
        Optional<Long> asked = options.seed();
        Optional<Mutant> mutant = options.mutant();
        if (mutant.isPresent()) {
            mutant.get().replay(asked.orElse(1L)).forEach(System.out::println);
            return;
        }
        Run run = Simulation.run(asked.orElse(1L), Tampering.NONE, true);
        if (asked.isPresent()) {
            run.story().forEach(System.out::println);
            run.violations().forEach(System.out::println);
        }
        assertFalse(run.story().isEmpty());
        assertEquals(List.of(), run.violations());
    }
}
