// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checker detects each kind of violation, and reports none for correct histories. */
class CheckerTest {
    private final Calls calls = new Calls();

    @Test
    void acceptsSuccessiveLeases() {
        calls.acquired("a", 0, 5, 1).acquired("b", 989, 992, 2);
        expect();
    }

    @Test
    void detectsTwoHolders() {
        calls.acquired("a", 0, 5, 1).acquired("b", 900, 905, 2);
        expect(Promise.S1);
    }

    @Test
    void detectsHolderDuringLongerClaim() {
        calls.acquired("a", 0, 5, 1)
                .acquired("b", 100, 105, 2)
                .released("b", 110, 115)
                .acquired("c", 200, 205, 3);
        expect(Promise.S1, Promise.S1);
    }

    @Test
    void sentReleaseEndsClaim() {
        calls.acquired("a", 0, 5, 1).released("a", 100, 150).acquired("b", 101, 105, 2);
        expect();
    }

    @Test
    void extensionProlongsClaim() {
        calls.acquired("a", 0, 5, 1).extended("a", 500, 505, 1).acquired("b", 1_200, 1_205, 2);
        expect(Promise.S1);
    }

    @Test
    void replayClaimsOnlyRemainingTime() {
        calls.acquired("a", 0, 5, 1).replayed("a", 900, 905, 1, 50).acquired("b", 1_000, 1_005, 2);
        expect();
    }

    @Test
    void replayIsSameLease() {
        calls.acquired("a", 0, 5, 1).replayed("a", 100, 105, 1, 800);
        expect();
    }

    @Test
    void detectsTooMuchValidity() {
        calls.valid("a", 985, 4);
        expect(Promise.S2);
    }

    @Test
    void acceptsMaximumValidity() {
        calls.valid("a", 984, 4);
        expect();
    }

    @Test
    void detectsLeaseWithoutValidity() {
        calls.valid("a", 0, 4);
        expect(Promise.S2);
    }

    @Test
    void detectsSmallerFencingToken() {
        calls.acquired("a", 0, 5, 2).acquired("b", 2_000, 2_005, 1);
        expect(Promise.S3);
    }

    @Test
    void detectsSharedFencingToken() {
        calls.acquired("a", 0, 5, 1).released("a", 10, 15).acquired("b", 4, 16, 1);
        expect(Promise.S3);
    }

    @Test
    void detectsReleaseAndExtensionWithoutLease() {
        calls.released("stranger", 0, 5).extended("other", 10, 15, 1);
        expect(Promise.S4, Promise.S4);
    }

    @Test
    void detectsExtensionAfterRelease() {
        calls.acquired("a", 0, 5, 1).released("a", 100, 105).extended("a", 200, 205, 1);
        expect(Promise.S4);
    }

    @Test
    void detectsLossOfValidLease() {
        calls.acquired("a", 0, 5, 1).refused("a", Operation.EXTEND, 200, 205, 404);
        expect(Promise.S4);
    }

    @Test
    void acceptsLossOfExpiredLease() {
        calls.acquired("a", 0, 5, 1).refused("a", Operation.EXTEND, 1_200, 1_205, 404);
        expect();
    }

    @Test
    void detectsSlowAnswer() {
        calls.refused("a", Operation.ACQUIRE, 0, 5_691, 423);
        expect(Promise.L);
    }

    @Test
    void detectsMissingAnswer() {
        calls.unanswered("a", 0, 100);
        expect(Promise.L);
    }

    @Test
    void acceptsSlowAnswersOnlyOfSuspendedReplica() {
        calls.hindered(FaultKind.SUSPEND_REPLICA, 500, 2_000).refused("a", Operation.ACQUIRE, 400, 2_010, 423);
        expect();
        calls.refused("b", Operation.ACQUIRE, 2_001, 7_800, 423);
        expect(Promise.L);
    }

    @Test
    void acceptsConnectionLossAfterKillOfReplica() {
        calls.hindered(FaultKind.KILL_REPLICA, 500, 2_000).unanswered("a", 2_100, 2_101);
        expect();
    }

    @Test
    void lossDuringClockStepIsOutsideTheModel() {
        calls.acquired("a", 0, 5, 1).stepped(300, 500).refused("a", Operation.EXTEND, 400, 405, 404);
        assertEquals(1, Checker.check(calls.history).outside().size());
        expect();
    }

    @Test
    void clockStepDoesNotExcuseSecondHolder() {
        calls.acquired("a", 0, 5, 1).acquired("b", 400, 405, 2).stepped(300, 500);
        expect(Promise.S1);
    }

    @Test
    void clockStepDoesNotExcuseSmallerFencingToken() {
        calls.acquired("a", 0, 5, 2).acquired("b", 1_100, 1_105, 1).stepped(1_000, 1_200);
        expect(Promise.S3);
    }

    @Test
    void disconnectedClientNeedsNoAnswer() {
        calls.vanished();
        expect();
    }

    @Test
    void reportsBadObservations() {
        calls.observed(Promise.N, 1, 0).observed(Promise.N, 0, 0);
        expect(Promise.N);
    }

    private void expect(Promise... promises) {
        assertEquals(
                List.of(promises),
                Checker.check(calls.history).broken().stream()
                        .map(Violation::promise)
                        .toList());
    }
}
