// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.Call;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.TestSize;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The algorithm in hundreds of simulated runs. */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
@Proves({"S1", "C", "K", "L1", "R12"})
class SimulationTest {
    private static final long FIRST = Long.parseLong(System.getProperty("simulation.first", "1"));

    @Test
    void keepsAllGuarantees() {
        LongStream first = LongStream.range(FIRST, FIRST + TestSize.of("simulation.seeds", 300));
        Batch batch = new Batch(LongStream.concat(Seeds.regressions(), first), Scenario.REDLOCK).run();
        System.out.println("simulation: " + batch);
        assertTrue(batch.failures().isEmpty(), () -> report(batch.failures()));
        assertEquals(List.of(), batch.missingCoverage(), "inconclusive, this occurred too rarely");
    }

    @Test
    void consensusKeepsAllGuarantees() {
        LongStream seeds = LongStream.range(FIRST, FIRST + TestSize.of("simulation.seeds", 300));
        Batch batch = new Batch(seeds, Scenario.CONSENSUS).run();
        System.out.println("simulation of consensus: " + batch);
        assertTrue(batch.failures().isEmpty(), () -> report(batch.failures()));
        assertEquals(List.of(), batch.missingCoverage(), "inconclusive, this occurred too rarely");
    }

    private static String report(List<Run> failures) {
        return failures.stream()
                .map(run ->
                        "seed " + run.seed() + " violated " + run.violations().get(0)
                                + "\nAll events: ./mvnw test -Dtest=ReplayTest -Dsimulation.seed=" + run.seed()
                                + " -Dsimulation.scenario=" + run.scenario())
                .collect(Collectors.joining("\n", "\n", ""));
    }

    @Test
    void sameSeedProducesSameHistory() {
        for (long seed = 1; seed <= 5; seed++) {
            List<Call> calls = calls(seed);
            assertEquals(calls, calls(seed), "seed " + seed);
            assertNotEquals(calls, calls(seed + 1), "seed " + seed);
        }
    }

    @Test
    void emptyBatchIsInconclusive() {
        Batch none = new Batch(LongStream.empty(), Scenario.REDLOCK).run();
        assertEquals(List.of("GRANTS"), none.missingCoverage());
    }

    private static List<Call> calls(long seed) {
        return Simulation.run(seed, Scenario.REDLOCK, true).history().calls();
    }
}
