// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.faults.HistoryWriter;
import io.quorumlock.testing.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The writer of simulated histories for the checker in {@code verification/checker}, which accepts them. */
@Tag("nightly")
class HistoriesTest {
    private static final Path FOLDER = Path.of("target", "histories", "simulated");
    private static final int SEEDS = TestSize.of("simulation.histories", 100);

    @ParameterizedTest
    @EnumSource(names = {"REDLOCK", "CONSENSUS"})
    void writesHistories(Scenario scenario) throws IOException {
        Files.createDirectories(FOLDER);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Path file = FOLDER.resolve(scenario + "-" + seed + ".jsonl");
            Run run = Simulation.run(seed, scenario, false);
            HistoryWriter.write(file, run.history().calls());
            assertTrue(run.violations().isEmpty());
        }
    }
}
