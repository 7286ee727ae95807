// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checker detects each kind of violation, and reports none for correct histories. */
class CheckerTest {
    private final Calls calls = new Calls();
    private boolean replicaFaulty;

    @Test
    void acceptsSuccessiveLeases() {
        calls.acquired("a", 0, 5, 1).acquired("b", 989, 992, 2);
        expect();
    }

    @Test
    void rejectsEmptyHistory() {
        expect(Promise.INCONCLUSIVE);
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
    void detectsHolderOfKeptLock() {
        calls.acquired("a", 0, 5, 1).releasedKeeping("a", 10, 15, 100).acquired("b", 90, 95, 2);
        expect(Promise.S1);
    }

    @Test
    void detectsHolderOfKeptLockWithSameToken() {
        calls.acquired("a", 0, 5, 1).releasedKeeping("a", 10, 15, 100).acquired("a", 90, 95, 2);
        expect(Promise.S1);
    }

    @Test
    void detectsHolderOfLockThatIsKeptForLongerThanItsLease() {
        calls.acquired("a", 0, 5, 1).releasedKeeping("a", 10, 15, 5_000).acquired("b", 4_900, 4_905, 2);
        expect(Promise.S1);
    }

    /** The first of two releases decides. */
    @Test
    void acceptsHolderAfterKeptLock() {
        calls.acquired("a", 0, 5, 1)
                .releasedKeeping("a", 10, 15, 100)
                .releasedKeeping("a", 50, 55, 100)
                .acquired("b", 108, 112, 2)
                .releasedKeeping("b", 200, 205, 5_000)
                .acquired("c", 5_196, 5_201, 3);
        expect();
    }

    @Test
    void detectsTwoHoldersOfOneOfSeveralLocks() {
        calls.of("a", "b").acquired("a", 0, 5, 1).of("c", "b").acquired("b", 900, 905, 2);
        expect(Promise.S1);
    }

    @Test
    void acceptsHoldersOfDifferentLocks() {
        calls.of("a", "b").acquired("a", 0, 5, 1).of("c").acquired("b", 900, 905, 1);
        expect();
    }

    @Test
    void detectsSmallerFencingTokenOfOneOfSeveralLocks() {
        calls.of("a", "b").acquired("a", 0, 5, 7).released("a", 10, 15).of("b").acquired("b", 20, 25, 3);
        expect(Promise.S3);
    }

    @Test
    void leaseOfSeveralLocksIsLostWithOneOfThem() {
        calls.of("a", "b").acquired("a", 0, 5, 1).of("b").ended("operator", Operation.BREAK, 100, 110, Outcome.DONE);
        calls.of("a", "b").ended("a", Operation.EXTEND, 120, 125, Outcome.LOST);
        expect();
        calls.acquired("c", 130, 135, 2).ended("c", Operation.EXTEND, 140, 145, Outcome.LOST);
        expect(Promise.S4);
    }

    @Test
    void replayIsSameLease() {
        calls.acquired("a", 0, 5, 1).replayed("a", 100, 105, 1, 800);
        expect();
    }

    @Test
    void detectsTooMuchValidity() {
        calls.acquiredFor("a", 0, 5, 1, 985, 4);
        expect(Promise.S2);
    }

    @Test
    void acceptsMaximumValidity() {
        calls.acquiredFor("a", 0, 5, 1, 984, 4);
        expect();
    }

    @Test
    void detectsLeaseWithoutValidity() {
        calls.acquiredFor("a", 0, 5, 1, 0, 4);
        expect(Promise.S2);
    }

    @Test
    void detectsElapsedTimeLongerThanCall() {
        calls.session("a", 0, 500, 1).sessionExtended("a", 0, 700, 1, 701);
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
    void detectsSmallerFencingTokenOfExtension() {
        calls.acquired("a", 0, 5, 2).extended("a", 100, 105, 1);
        expect(Promise.S3);
    }

    @Test
    void detectsSmallerFencingTokenInSession() {
        calls.session("a", 0, 5, 2).sessionExtended("a", 0, 900, 1, 890);
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

    /** A vote requested before the release can arrive after it. */
    @Test
    void unansweredAcquireCanRestoreReleasedLease() {
        calls.ended("a", Operation.ACQUIRE, 0, 5, Outcome.LEFT)
                .acquired("a", 6, 10, 1)
                .released("a", 100, 105)
                .extended("a", 200, 205, 1);
        expect();
    }

    @Test
    void detectsLossOfValidLease() {
        calls.acquired("a", 0, 5, 1).ended("a", Operation.EXTEND, 200, 205, Outcome.LOST);
        expect(Promise.S4);
    }

    @Test
    void acceptsLossOfExpiredLease() {
        calls.acquired("a", 0, 5, 1).ended("a", Operation.EXTEND, 1_200, 1_205, Outcome.LOST);
        expect();
    }

    @Test
    void detectsLossOfValidLeaseBySession() {
        calls.session("a", 0, 5, 1).ended("a", Operation.SESSION_END, 0, 300, Outcome.LOST);
        expect(Promise.S4);
    }

    @Test
    void detectsRefusalOfOwnLease() {
        calls.acquired("a", 0, 5, 1).heldAfterWait("a", 100, 900);
        expect(Promise.REPEATS);
    }

    @Test
    void detectsReplayWithoutEarlierAcquire() {
        calls.replayed("a", 0, 5, 1, 800);
        expect(Promise.R8);
    }

    @Test
    void detectsExtensionCountedTwice() {
        calls.acquired("a", 0, 5, 1).extended("a", 100, 105, 1, 2);
        expect(Promise.R8);
    }

    @Test
    void detectsExtensionsOverTheMaximum() {
        calls.acquired("a", 0, 5, 1);
        for (int i = 1; i <= 6; i++) {
            calls.extended("a", i * 100, i * 100 + 5, 1);
        }
        expect(Promise.R13);
    }

    @Test
    void detectsSlowAnswer() {
        calls.ended("a", Operation.RELEASE, 0, 700, Outcome.LOST);
        expect(Promise.L);
        replicaFaulty = true;
        expect();
    }

    @Test
    void acceptsRequestedWait() {
        calls.waited("a", 0, 1_590, 1);
        expect();
    }

    @Test
    void detectsMissingAnswer() {
        calls.ended("a", Operation.ACQUIRE, 0, 100, Outcome.UNANSWERED);
        expect(Promise.L);
    }

    @Test
    void clientThatLeftNeedsNoAnswer() {
        calls.ended("a", Operation.ACQUIRE, 0, 700, Outcome.LEFT);
        expect();
    }

    private void expect(Promise... promises) {
        History history = new History(calls.list(), Calls.LIMITS, call -> replicaFaulty);
        assertEquals(
                List.of(promises),
                Checker.check(history).stream().map(Violation::promise).toList());
    }
}
