// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultPlanTest {
    private static final Duration SHORT = Duration.ofMinutes(2);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sameSeedGivesSamePlan(long seed) {
        assertEquals(plan(seed), plan(seed));
        assertNotEquals(plan(seed), plan(seed + 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fewerThanMajorityOfMastersFailAtOnce(long seed) {
        List<PlannedFault> masters = hitting(seed, FaultKind.Victim.MASTER);
        for (PlannedFault fault : masters) {
            List<PlannedFault> bad = masters.stream()
                    .filter(other -> isBad(other, fault.startMs()))
                    .toList();
            assertTrue(bad.size() <= 2, () -> "simultaneous faults: " + bad);
            assertEquals(
                    bad.size(),
                    bad.stream().map(PlannedFault::target).distinct().count());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void replicasFailOneAtATime(long seed) {
        List<PlannedFault> replicas = hitting(seed, FaultKind.Victim.REPLICA);
        for (int i = 1; i < replicas.size(); i++) {
            assertFalse(overlap(replicas.get(i - 1), replicas.get(i)));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void clocksStepOnlyAfterLeasesOfMinorityFaultsEnded(long seed) {
        List<PlannedFault> masters = hitting(seed, FaultKind.Victim.MASTER);
        for (PlannedFault step : ofKind(masters, FaultKind.STEP_CLOCK)) {
            for (PlannedFault other : masters) {
                boolean apart = other.recoveredMs() + Setup.LONGEST_LEASE.toMillis() <= step.startMs()
                        || other.startMs() >= step.recoveredMs();
                assertTrue(other.kind() == FaultKind.STEP_CLOCK || apart, () -> step + " " + other);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void clocksOfTwoMastersStepAtOnce(long seed) {
        List<PlannedFault> steps = ofKind(hitting(seed, FaultKind.Victim.MASTER), FaultKind.STEP_CLOCK);
        assertTrue(overlap(steps.get(0), steps.get(1)), steps::toString);
        assertNotEquals(steps.get(0).target(), steps.get(1).target());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mastersLoseDataWithoutOtherFaults(long seed) {
        List<PlannedFault> masters = hitting(seed, FaultKind.Victim.MASTER);
        for (FaultKind kind : List.of(FaultKind.EMPTIED)) {
            for (PlannedFault forgetting : ofKind(masters, kind)) {
                assertTrue(masters.stream().noneMatch(other -> other != forgetting && overlap(other, forgetting)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shortRunHasEveryKind(long seed) {
        assertEquals(
                EnumSet.allOf(FaultKind.class), FaultPlan.of(seed, SHORT, true).kinds());
    }

    @Test
    void stepsNoClockWithoutCompiler() {
        Set<FaultKind> rest = EnumSet.complementOf(EnumSet.of(FaultKind.STEP_CLOCK));
        assertEquals(rest, FaultPlan.of(1, SHORT, false).kinds());
    }

    @Test
    void faultsHitMastersWithMatchingPersistence() {
        for (PlannedFault fault : plan(7)) {
            boolean fits =
                    switch (fault.kind()) {
                        case KILL, EMPTIED -> fault.target() < Masters.FIRST_FORGETFUL;
                        case KILL_AND_EMPTY -> fault.target() >= Masters.FIRST_FORGETFUL;
                        default -> true;
                    };
            assertTrue(fits, fault::toString);
        }
    }

    @Test
    void keepsOtherFaultsWithoutLosses() {
        List<PlannedFault> others =
                plan(7).stream().filter(fault -> !fault.kind().losesLocks()).toList();
        assertEquals(others, FaultPlan.of(7, SHORT, true).withoutLosses().all());
        assertTrue(others.size() < plan(7).size());
    }

    private static List<PlannedFault> plan(long seed) {
        return FaultPlan.of(seed, SHORT, true).all();
    }

    private static List<PlannedFault> hitting(long seed, FaultKind.Victim victim) {
        return plan(seed).stream()
                .filter(fault -> fault.kind().victim == victim)
                .toList();
    }

    private static List<PlannedFault> ofKind(List<PlannedFault> faults, FaultKind kind) {
        return faults.stream().filter(fault -> fault.kind() == kind).toList();
    }

    private static boolean isBad(PlannedFault fault, long at) {
        return fault.startMs() <= at && at < fault.recoveredMs();
    }

    private static boolean overlap(PlannedFault one, PlannedFault other) {
        return one.startMs() < other.recoveredMs() && other.startMs() < one.recoveredMs();
    }
}
