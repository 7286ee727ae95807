// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.CallKind;
import io.quorumlock.history.Calls;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a run with too little evidence is not good, and what faults excuse. */
class VerdictTest {
    private final RunBuilder builder = new RunBuilder().observed(Promise.N, 0, 0);
    private final Calls calls = builder.calls
            .acquired("a", 0, 5, 1)
            .ended("b", Operation.ACQUIRE, 10, 15, Outcome.HELD)
            .ended("c", Operation.ACQUIRE, 0, 0, Outcome.LEFT);

    @Test
    void enoughEvidenceIsGood() {
        builder.header(1, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertTrue(verdict().isGood(), () -> verdict().text());
    }

    @Test
    void missingHeaderIsInconclusive() {
        assertInconclusive("the header of the run");
    }

    @Test
    void faultWithoutEvidenceIsInconclusive() {
        builder.header(1, FaultKind.SUSPEND_REPLICA, FaultKind.HOLD).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertInconclusive("evidence of HOLD");
    }

    @Test
    void tooFewGrantsAreInconclusive() {
        builder.header(2, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertInconclusive("grants: 1 of 2");
    }

    @Test
    void tooFewCallsOfOneKindAreInconclusive() {
        builder.header(1, 1, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        List<String> missing = verdict().missing();
        for (CallKind kind : CallKind.values()) {
            assertTrue(missing.contains(kind + ": 0 of 1"), missing::toString);
        }
        assertFalse(verdict().isGood());
    }

    @Test
    void stepsOfOneClockAreInconclusive() {
        builder.header(1, FaultKind.STEP_CLOCK).stepped(1, 2);
        assertInconclusive("stepped clocks: only one");
    }

    @Test
    void tooLittleContentionIsInconclusive() {
        builder.header(1, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        for (int i = 1; i <= 7; i++) {
            calls.acquired("c" + i, 1_000 * i, 1_000 * i + 5, 1 + i);
        }
        assertInconclusive("contention: 1 of 10 acquires");
    }

    @Test
    void longStallIsInconclusive() {
        builder.header(1, FaultKind.SUSPEND_REPLICA)
                .replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2)
                .stalled(0, 37_000);
        assertInconclusive("time on the machine: a process stalled for 37.0 s");
    }

    @Test
    void violationIsNeverGood() {
        builder.header(1, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 1, 2);
        calls.acquired("d", 100, 105, 2);
        assertEquals(List.of(), verdict().missing());
        assertFalse(verdict().isGood());
    }

    @Test
    void reportsBadObservations() {
        builder.observed(Promise.N, 1, 0);
        expect(Promise.N);
    }

    @Test
    void acceptsSlowAnswersOnlyOfSuspendedReplica() {
        builder.replicaFault(FaultKind.SUSPEND_REPLICA, 500, 2_000);
        calls.ended("d", Operation.ACQUIRE, 400, 8_010, Outcome.HELD);
        expect();
        calls.ended("e", Operation.ACQUIRE, 2_001, 7_800, Outcome.HELD);
        expect(Promise.L);
    }

    @Test
    void acceptsConnectionLossAfterKillOfReplica() {
        builder.replicaFault(FaultKind.KILL_REPLICA, 500, 2_000);
        calls.ended("d", Operation.ACQUIRE, 2_100, 2_101, Outcome.UNANSWERED);
        expect();
    }

    @Test
    void lossDuringClockStepIsOutsideTheModel() {
        builder.stepped(300, 500);
        calls.ended("a", Operation.EXTEND, 400, 405, Outcome.LOST);
        assertEquals(1, verdict().outside().size());
        expect();
    }

    @Test
    void clockStepDoesNotExcuseSecondHolder() {
        builder.stepped(300, 500);
        calls.acquired("d", 400, 405, 2);
        expect(Promise.S1);
    }

    @Test
    void clockStepDoesNotExcuseSmallerFencingToken() {
        builder.stepped(2_000, 2_200);
        calls.acquired("d", 1_000, 1_005, 3).acquired("e", 2_100, 2_105, 2);
        expect(Promise.S3);
    }

    @Test
    void clockStepExcusesRefusalOfOwnLease() {
        calls.heldAfterWait("a", 100, 900);
        expect(Promise.REPEATS);
        builder.stepped(300, 1_000);
        expect();
    }

    private void expect(Promise... promises) {
        assertEquals(
                List.of(promises),
                verdict().violations().stream().map(Violation::promise).toList());
    }

    private void assertInconclusive(String what) {
        assertEquals(List.of(what), verdict().missing());
        assertFalse(verdict().isGood());
    }

    private Verdict verdict() {
        return Verdict.of(builder.run());
    }
}
