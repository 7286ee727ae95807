// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.simulation.Coverage.Measure;
import io.quorumlock.testing.TestSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Guarantees outside the model: majorities lose their data, scripts or locks, or their clocks step. */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class OutOfModelTest {
    private static final int SEEDS = TestSize.of("simulation.beyond", 1_000);
    private static final int SMALLEST_MAJORITY = 2;
    private static Batch batch;

    @BeforeAll
    static void runBatch() {
        batch = new Batch(LongStream.rangeClosed(1, SEEDS), Scenario.REDLOCK_BEYOND_THE_MODEL).run(SEEDS + 1);
        System.out.println("out of the model: " + batch.failures().size() + " of " + batch);
    }

    /** Without this detection, the absence of other violations would prove nothing. */
    @Test
    void detectsTwoHolders() {
        assertTrue(violated().contains(Promise.S1), () -> violated() + " in " + batch);
    }

    /** Two holders imply two other violations: a lost lease, and a repeated acquire that meets the second holder. */
    @Test
    void violatesNoOtherGuarantee() {
        Set<Promise> others = violated();
        others.removeAll(EnumSet.of(Promise.S1, Promise.S4, Promise.REPEATS));
        assertEquals(Set.of(), others, OutOfModelTest::firstOther);
    }

    /** A lost update of the resource that checks fencing tokens would be a violation of S3. */
    @Test
    void onlyResourceWithoutFencingLosesUpdates() {
        assertTrue(batch.coverage().of(Measure.LOST_WITHOUT_FENCE) > SEEDS / 10, batch::toString);
    }

    @Test
    void detectsClockStepsAndRestarts() {
        Coverage seen = batch.coverage();
        long steps = SMALLEST_MAJORITY * seen.of(MajorityFault.CLOCKS_STEPPED);
        long emptied = SMALLEST_MAJORITY * seen.of(MajorityFault.MASTERS_EMPTIED);
        assertTrue(seen.of(Measure.STEP_DETECTED) >= steps, seen::toString);
        assertTrue(seen.of(Measure.RESTART_DETECTED) >= emptied, seen::toString);
    }

    @Test
    void batchCoversEverything() {
        List<MajorityFault> rare = EnumSet.allOf(MajorityFault.class).stream()
                .filter(kind -> batch.coverage().of(kind) < SEEDS / 10)
                .toList();
        assertEquals(List.of(), rare);
        assertEquals(List.of(), batch.missingCoverage());
    }

    private static Set<Promise> violated() {
        return batch.failures().stream()
                .flatMap(run -> run.violations().stream())
                .map(Violation::promise)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Promise.class)));
    }

    private static String firstOther() {
        return batch.failures().stream()
                .flatMap(run -> run.violations().stream().map(violation -> "seed " + run.seed() + " " + violation))
                .filter(text -> !text.contains(" S1: ") && !text.contains(" S4: ") && !text.contains(" REPEATS: "))
                .findFirst()
                .orElse("");
    }
}
