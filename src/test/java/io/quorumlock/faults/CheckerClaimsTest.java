package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Shows where the checker sees claims begin and end: releases, waits, least validities, forced releases and sessions. */
class CheckerClaimsTest {
    private final Calls calls = new Calls();

    @Test
    void aFailedReleaseDoesNotEndTheClaim() {
        calls.acquired("a", 0, 5, 1)
                .releaseRefused("a", 100, 105, "overloaded")
                .releaseRefused("a", 106, 107, "shutting-down")
                .acquired("b", 200, 205, 2);
        expect(Promise.S1);
    }

    @Test
    void aReleaseThatWasAnsweredDoesNotEndALaterLeaseOfItsToken() {
        calls.acquired("a", 0, 5, 1)
                .released("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .acquired("b", 100, 105, 3);
        expect(Promise.S1);
    }

    @Test
    void theSecondReleaseEndsTheLaterLease() {
        calls.acquired("a", 0, 5, 1)
                .released("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .released("a", 90, 95)
                .acquired("b", 91, 105, 3);
        expect();
    }

    @Test
    void aReleaseWithoutAnAnswerMayEndALaterLeaseOfItsToken() {
        calls.acquired("a", 0, 5, 1)
                .releaseHungUp("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .acquired("b", 100, 105, 3);
        expect();
    }

    @Test
    void aWaitAddsToTheClaim() {
        calls.waited("a", 0, 500, 1).acquired("b", 1_300, 1_305, 2);
        expect(Promise.S1);
    }

    @Test
    void aClaimAfterAWaitEndsWithTheValidity() {
        calls.waited("a", 0, 500, 1).acquired("b", 1_401, 1_405, 2);
        expect();
    }

    @Test
    void aWaitMayTakeAsLongAsTheClientSaid() {
        calls.waited("a", 0, 1_690, 1);
        expect();
    }

    @Test
    void anElapsedTimeBeyondTheCallIsFound() {
        calls.session("a", 0, 500, 1).heard("a", 0, 700, 1, 701);
        expect(Promise.S2);
    }

    @Test
    void lessValidityThanWasAskedForIsFound() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 10, 15, 950, 949);
        expect(Promise.S2);
    }

    @Test
    void aCallWithALeastValidityGivesTheLeaseUp() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 100, 105, 900, 0).acquired("b", 101, 106, 2);
        expect();
    }

    @Test
    void theExtensionItselfIsNotGivenUpByItsLeastValidity() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 100, 105, 900, 950).acquired("b", 200, 206, 2);
        expect(Promise.S1);
    }

    @Test
    void aForcedReleaseExemptsTheBrokenLease() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .acquired("b", 105, 112, 2)
                .refused("a", Operation.EXTEND, 120, 125, 409);
        expect();
    }

    @Test
    void aForcedReleaseExemptsNoLaterLease() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .acquired("b", 111, 115, 2)
                .acquired("c", 120, 125, 3);
        expect(Promise.S1);
    }

    @Test
    void aForcedReleaseWhileALaterHolderWaitedExemptsOnlyTheBrokenLease() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .waited("b", 90, 900, 2)
                .acquired("c", 920, 925, 3);
        expect(Promise.S1);
    }

    @Test
    void aForcedReleaseThatFoundNothingExemptsNothing() {
        calls.acquired("a", 0, 5, 1).forced(100, 110, 404).acquired("b", 111, 115, 2);
        expect(Promise.S1);
    }

    @Test
    void anExtensionAfterAForcedReleaseIsALeaseAgain() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .extended("a", 120, 125, 1)
                .acquired("b", 200, 205, 2);
        expect(Promise.S1);
    }

    @Test
    void theEventsOfASessionCountFromItsRequest() {
        calls.session("a", 0, 5, 1).heard("a", 0, 340, 1, 330).acquired("b", 1_200, 1_205, 2);
        expect(Promise.S1);
    }

    @Test
    void theDeadlineOfAnEventEndsTheClaim() {
        calls.session("a", 0, 5, 1).heard("a", 0, 340, 1, 330).acquired("b", 1_231, 1_235, 2);
        expect();
    }

    @Test
    void aSessionThatLosesAValidLeaseIsFound() {
        calls.session("a", 0, 5, 1).lost("a", 0, 300);
        expect(Promise.S4);
    }

    @Test
    void aTokenThatShrinksInAnExtensionIsFound() {
        calls.acquired("a", 0, 5, 2).extended("a", 100, 105, 1);
        expect(Promise.S3);
    }

    @Test
    void aTokenThatShrinksInASessionIsFound() {
        calls.session("a", 0, 5, 2).heard("a", 0, 900, 1, 890);
        expect(Promise.S3);
    }

    @Test
    void aHolderThatIsRefusedItsOwnLeaseIsFound() {
        calls.acquired("a", 0, 5, 1).waitedInVain("a", 100, 900);
        expect(Promise.L);
    }

    @Test
    void aReleaseThatIsNotCarriedThroughIsFound() {
        calls.acquired("z", 0, 2, 1).released("z", 3, 4).acquired("a", 5, 7, 2).releaseHungUp("a", 10, 11);
        calls.refused("b", Operation.ACQUIRE, 710, 715, 423).refused("c", Operation.ACQUIRE, 760, 765, 423);
        expect();
        calls.refused("d", Operation.ACQUIRE, 850, 855, 423);
        expect(Promise.L);
    }

    @Test
    void doesNotJudgeReleasesWhileTwoMastersHang() {
        calls.acquired("z", 0, 2, 1).released("z", 3, 4).acquired("a", 5, 7, 2).releaseHungUp("a", 10, 11);
        calls.refused("b", Operation.ACQUIRE, 710, 715, 423)
                .refused("c", Operation.ACQUIRE, 760, 765, 423)
                .refused("d", Operation.ACQUIRE, 850, 855, 423);
        calls.stepped(300, 500);
        expect();
    }

    @Test
    void aReleaseIsCarriedThroughWhereAnotherHoldsTheLockSince() {
        calls.acquired("a", 0, 5, 1)
                .releaseHungUp("a", 10, 11)
                .acquired("e", 20, 25, 2)
                .refused("b", Operation.ACQUIRE, 710, 715, 423)
                .refused("c", Operation.ACQUIRE, 760, 765, 423)
                .refused("d", Operation.ACQUIRE, 850, 855, 423);
        expect();
    }

    private void expect(Promise... promises) {
        assertEquals(
                List.of(promises),
                Checker.check(calls.history).broken().stream()
                        .map(Violation::promise)
                        .toList());
    }
}
