// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.history.Promise;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a run with too little evidence is not good. */
class VerdictTest {
    private final Calls calls = new Calls();

    @BeforeEach
    void addMinimumEvidence() {
        calls.acquired("a", 0, 5, 1)
                .refused("b", Operation.ACQUIRE, 10, 15, 423)
                .vanished()
                .observed(Promise.N, 0, 0);
    }

    @Test
    void enoughEvidenceIsGood() {
        calls.run(1, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertTrue(verdict().isGood(), () -> verdict().text());
    }

    @Test
    void missingHeaderIsInconclusive() {
        assertInconclusive("the header of the run");
    }

    @Test
    void faultWithoutEvidenceIsInconclusive() {
        calls.run(1, FaultKind.SUSPEND_REPLICA, FaultKind.HOLD).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertInconclusive("evidence of HOLD");
    }

    @Test
    void tooFewGrantsAreInconclusive() {
        calls.run(2, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertInconclusive("grants: 1 of 2");
    }

    @Test
    void tooFewCallsOfOneKindAreInconclusive() {
        calls.runWithEach(1).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        List<String> lacks = verdict().lacks();
        for (CallKind kind : CallKind.values()) {
            assertTrue(lacks.contains(kind + ": 0 of 1"), lacks::toString);
        }
        assertFalse(verdict().isGood());
    }

    @Test
    void stepsOfOneClockAreInconclusive() {
        calls.run(1, FaultKind.STEP_CLOCK).stepped(1, 2);
        assertInconclusive("stepped clocks: only one");
    }

    @Test
    void tooLittleContentionIsInconclusive() {
        calls.run(1, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        for (int i = 1; i <= 7; i++) {
            calls.acquired("c" + i, 1_000 * i, 1_000 * i + 5, 1 + i);
        }
        assertInconclusive("contention: 1 of 10 acquires");
    }

    @Test
    void longStallIsInconclusive() {
        calls.run(1, FaultKind.SUSPEND_REPLICA)
                .hindered(FaultKind.SUSPEND_REPLICA, 1, 2)
                .stalled(0, 37_000);
        assertInconclusive("time on the machine: a process stalled for 37.0 s");
    }

    @Test
    void violationIsNeverGood() {
        calls.run(1, FaultKind.SUSPEND_REPLICA)
                .hindered(FaultKind.SUSPEND_REPLICA, 1, 2)
                .acquired("d", 100, 105, 2);
        assertEquals(List.of(), verdict().lacks());
        assertFalse(verdict().isGood());
    }

    private void assertInconclusive(String what) {
        assertEquals(List.of(what), verdict().lacks());
        assertFalse(verdict().isGood());
    }

    private Verdict verdict() {
        return Verdict.of(calls.history);
    }
}
