package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shows that a run which had too little of anything is not good. */
class VerdictTest {
    private final Calls calls = new Calls();

    @BeforeEach
    void haveEnough() {
        calls.acquired("a", 0, 5, 1)
                .refused("b", Operation.ACQUIRE, 10, 15, 423)
                .vanished()
                .observed(Promise.N, 0, 0);
    }

    @Test
    void enoughIsGood() {
        calls.run(1, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        assertTrue(verdict().isGood(), () -> verdict().text());
    }

    @Test
    void aHistoryWithoutAHeaderIsNot() {
        lacks("the header of the run");
    }

    @Test
    void aFaultWithoutEvidenceIsNot() {
        calls.run(1, FaultKind.SUSPEND_REPLICA, FaultKind.HOLD).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        lacks("evidence of HOLD");
    }

    @Test
    void tooFewGrantsAreNot() {
        calls.run(2, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        lacks("grants: 1 of 2");
    }

    @Test
    void tooFewCallsOfAKindAreNot() {
        calls.runWithEach(1).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        List<String> lacks = verdict().lacks();
        for (CallKind kind : CallKind.values()) {
            assertTrue(lacks.contains(kind + ": 0 of 1"), lacks::toString);
        }
        assertFalse(verdict().isGood());
    }

    @Test
    void theStepsOfOneClockAreNot() {
        calls.run(1, FaultKind.STEP_CLOCK).stepped(1, 2);
        lacks("clocks that were stepped: only one");
    }

    @Test
    void hardlyAnyContentionIsNot() {
        calls.run(1, FaultKind.SUSPEND_REPLICA).hindered(FaultKind.SUSPEND_REPLICA, 1, 2);
        for (int i = 1; i <= 7; i++) {
            calls.acquired("c" + i, 1_000 * i, 1_000 * i + 5, 1 + i);
        }
        lacks("contention: 1 of 10 acquires");
    }

    @Test
    void aMachineThatHardlyRanIsNot() {
        calls.run(1, FaultKind.SUSPEND_REPLICA)
                .hindered(FaultKind.SUSPEND_REPLICA, 1, 2)
                .stalled(0, 37_000);
        lacks("time to run on this machine: a process stalled for 37.0 s");
    }

    @Test
    void aBrokenPromiseIsNeverGood() {
        calls.run(1, FaultKind.SUSPEND_REPLICA)
                .hindered(FaultKind.SUSPEND_REPLICA, 1, 2)
                .acquired("d", 100, 105, 2);
        assertEquals(List.of(), verdict().lacks());
        assertFalse(verdict().isGood());
    }

    private void lacks(String what) {
        assertEquals(List.of(what), verdict().lacks());
        assertFalse(verdict().isGood());
    }

    private Verdict verdict() {
        return Verdict.of(calls.history);
    }
}
