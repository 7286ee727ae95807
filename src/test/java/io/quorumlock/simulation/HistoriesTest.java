// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.faults.HistoryWriter;
import io.quorumlock.history.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Writers of simulated histories for the checker in {@code verification/checker}, which accepts those without a mutation. */
@Tag("nightly")
class HistoriesTest {
    private static final Path FOLDER = Path.of("target", "histories");
    private static final int SEEDS = 100;

    @ParameterizedTest
    @EnumSource(names = {"REDLOCK", "CONSENSUS"})
    void writesHistories(Scenario scenario) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve("simulated"));
        for (long seed = 1; seed <= SEEDS; seed++) {
            Path file = folder.resolve(scenario + "-" + seed + ".jsonl");
            Run run = Simulation.run(seed, scenario, false);
            HistoryWriter.write(file, run.history().calls());
            assertTrue(run.violations().isEmpty());
        }
    }

    /** Returns the mutants that break a promise about the leases of a history. */
    private static Stream<Mutant> mutants() {
        return Arrays.stream(Mutant.values())
                .filter(mutant -> EnumSet.of(Promise.S1, Promise.S3, Promise.S4).contains(mutant.promise));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void writesHistoryOfMutant(Mutant mutant) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve("mutants"));
        long seed = Seeds.detecting(mutant.name()).findFirst().orElseThrow();
        mutant.record(seed, folder.resolve(mutant + ".jsonl"));
    }
}
