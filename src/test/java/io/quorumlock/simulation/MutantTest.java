// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the simulation detects faults: without a rule, the guarantee that depends on it is violated. Seeds that
 * detected the mutant before run first. The checker in {@code verification/checker} must reject the histories that are written.
 */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class MutantTest {
    private static final long SEEDS = 4_000;
    private static final String QUORUM = "java/io/quorumlock/engines/redlock/Quorum.java";

    /** The promises about the leases of a history. */
    private static final Set<Promise> OF_HISTORIES = EnumSet.of(Promise.S1, Promise.S3, Promise.S4);

    private static final Map<Mutant, Long> DETECTED_BY = new ConcurrentSkipListMap<>();

    @ParameterizedTest
    @EnumSource
    void violatesItsGuarantee(Mutant mutant) throws IOException {
        MutatedClasses classes = mutant.classes();
        // A parallel seed may be reported instead, and its history may be legal.
        Map<String, Long> stored = violated(mutant, classes, Seeds.detecting(mutant.name()));
        Map<String, Long> violated = stored.containsKey(mutant.promise.name())
                ? stored
                : violated(mutant, classes, LongStream.rangeClosed(1, SEEDS));
        assertTrue(
                violated.containsKey(mutant.promise.name()),
                () -> mutant + " was not detected; violated instead: " + violated);
        long seed = violated.get(mutant.promise.name());
        DETECTED_BY.put(mutant, seed);
        if (OF_HISTORIES.contains(mutant.promise)) {
            Path folder = Files.createDirectories(Path.of("target", "histories", "mutants"));
            classes.record(mutant.scenario()).accept(seed, folder.resolve(mutant + ".jsonl"));
        }
    }

    private static Map<String, Long> violated(Mutant mutant, MutatedClasses classes, LongStream seeds) {
        return classes.trial(mutant.scenario()).apply(seeds.toArray(), mutant.promise.name());
    }

    /**
     * Writes the seeds that detected each mutant. The file can replace
     * {@code src/test/resources/simulation/mutants.txt}.
     */
    @AfterAll
    static void writeSeeds() throws IOException {
        List<String> lines = DETECTED_BY.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
        Files.write(Files.createDirectories(Path.of("target")).resolve("mutants.txt"), lines);
    }

    /** Loading the classes anew must not cause violations, which would be mistaken for those of a mutant. */
    @Test
    void unchangedClassesViolateNothing() {
        assertViolatesNothing(MutatedClasses.of());
    }

    @Test
    void unchangedScriptsViolateNothing() {
        Mutation none = new Mutation("resources/redis/listeners.lua", "return", "return");
        assertViolatesNothing(MutatedClasses.of(none));
    }

    private static void assertViolatesNothing(MutatedClasses classes) {
        long[] seeds = LongStream.rangeClosed(1, 25).toArray();
        assertEquals(Map.of(), classes.trial(Scenario.REDLOCK).apply(seeds, Promise.S1.name()));
    }

    @Test
    void rejectsMissingText() {
        rejects("stale: not found in " + QUORUM, new Mutation(QUORUM, "total / 3", "total"));
    }

    @Test
    void rejectsAmbiguousText() {
        rejects("stale: found more than once in " + QUORUM, new Mutation(QUORUM, "total", "2"));
    }

    @Test
    void rejectsReplacementThatDoesNotCompile() {
        rejects("does not compile: ", new Mutation(QUORUM, "total / 2 + 1", "total /"));
    }

    private static void rejects(String reason, Mutation mutation) {
        Exception rejection = assertThrows(IllegalStateException.class, () -> MutatedClasses.of(mutation));
        assertTrue(rejection.getMessage().startsWith(reason), rejection.getMessage());
    }
}
