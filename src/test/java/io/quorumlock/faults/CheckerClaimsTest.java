// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the start and end of claims, for releases, waits, minimum validities, forced releases and sessions. */
class CheckerClaimsTest {
    private final Calls calls = new Calls();

    @Test
    void rejectedReleaseDoesNotEndClaim() {
        calls.acquired("a", 0, 5, 1)
                .releaseRejected("a", 100, 105, "overloaded")
                .releaseRejected("a", 106, 107, "shutting-down")
                .acquired("b", 200, 205, 2);
        expect(Promise.S1);
    }

    @Test
    void answeredReleaseDoesNotEndLaterLease() {
        calls.acquired("a", 0, 5, 1)
                .released("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .acquired("b", 100, 105, 3);
        expect(Promise.S1);
    }

    @Test
    void secondReleaseEndsLaterLease() {
        calls.acquired("a", 0, 5, 1)
                .released("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .released("a", 90, 95)
                .acquired("b", 91, 105, 3);
        expect();
    }

    @Test
    void unansweredReleaseCanEndLaterLease() {
        calls.acquired("a", 0, 5, 1)
                .releaseAbandoned("a", 10, 15)
                .acquired("a", 20, 25, 2)
                .acquired("b", 100, 105, 3);
        expect();
    }

    @Test
    void waitExtendsClaim() {
        calls.waited("a", 0, 500, 1).acquired("b", 1_300, 1_305, 2);
        expect(Promise.S1);
    }

    @Test
    void claimAfterWaitEndsWithValidity() {
        calls.waited("a", 0, 500, 1).acquired("b", 1_401, 1_405, 2);
        expect();
    }

    @Test
    void acceptsRequestedWait() {
        calls.waited("a", 0, 1_690, 1);
        expect();
    }

    @Test
    void detectsElapsedTimeLongerThanCall() {
        calls.session("a", 0, 500, 1).sessionExtended("a", 0, 700, 1, 701);
        expect(Promise.S2);
    }

    @Test
    void detectsLessValidityThanRequired() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 10, 15, 950, 949);
        expect(Promise.S2);
    }

    @Test
    void callWithTooMuchMinValidityEndsClaim() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 100, 105, 900, 0).acquired("b", 101, 106, 2);
        expect();
    }

    @Test
    void extensionWithEnoughValidityKeepsClaim() {
        calls.acquired("a", 0, 5, 1).extendedAtLeast("a", 100, 105, 900, 950).acquired("b", 200, 206, 2);
        expect(Promise.S1);
    }

    @Test
    void forcedReleaseEndsClaimOfBrokenLease() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .acquired("b", 105, 112, 2)
                .refused("a", Operation.EXTEND, 120, 125, 409);
        expect();
    }

    @Test
    void forcedReleaseDoesNotEndLaterClaim() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .acquired("b", 111, 115, 2)
                .acquired("c", 120, 125, 3);
        expect(Promise.S1);
    }

    @Test
    void forcedReleaseDoesNotEndClaimOfWaiter() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .waited("b", 90, 900, 2)
                .acquired("c", 920, 925, 3);
        expect(Promise.S1);
    }

    @Test
    void forcedReleaseOfFreeLockEndsNoClaim() {
        calls.acquired("a", 0, 5, 1).forced(100, 110, 404).acquired("b", 111, 115, 2);
        expect(Promise.S1);
    }

    @Test
    void extensionAfterForcedReleaseIsClaim() {
        calls.acquired("a", 0, 5, 1)
                .forced(100, 110, 204)
                .extended("a", 120, 125, 1)
                .acquired("b", 200, 205, 2);
        expect(Promise.S1);
    }

    @Test
    void countsSessionEventsFromRequest() {
        calls.session("a", 0, 5, 1).sessionExtended("a", 0, 340, 1, 330).acquired("b", 1_200, 1_205, 2);
        expect(Promise.S1);
    }

    @Test
    void deadlineOfEventEndsClaim() {
        calls.session("a", 0, 5, 1).sessionExtended("a", 0, 340, 1, 330).acquired("b", 1_231, 1_235, 2);
        expect();
    }

    @Test
    void detectsLossOfValidLeaseBySession() {
        calls.session("a", 0, 5, 1).sessionLost("a", 0, 300);
        expect(Promise.S4);
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
    void detectsRefusalOfOwnLease() {
        calls.acquired("a", 0, 5, 1).refusedAfterWait("a", 100, 900);
        expect(Promise.L);
    }

    @Test
    void detectsIncompleteRelease() {
        calls.acquired("z", 0, 2, 1).released("z", 3, 4).acquired("a", 5, 7, 2).releaseAbandoned("a", 10, 11);
        calls.refused("b", Operation.ACQUIRE, 710, 715, 423).refused("c", Operation.ACQUIRE, 760, 765, 423);
        expect();
        calls.refused("d", Operation.ACQUIRE, 850, 855, 423);
        expect(Promise.L);
    }

    @Test
    void ignoresReleasesWhileTwoMastersHang() {
        calls.acquired("z", 0, 2, 1).released("z", 3, 4).acquired("a", 5, 7, 2).releaseAbandoned("a", 10, 11);
        calls.refused("b", Operation.ACQUIRE, 710, 715, 423)
                .refused("c", Operation.ACQUIRE, 760, 765, 423)
                .refused("d", Operation.ACQUIRE, 850, 855, 423);
        calls.stepped(300, 500);
        expect();
    }

    @Test
    void ignoresReleasesThroughReplicaWithoutMajority() {
        calls.acquired("a", 0, 5, 1).releaseAbandoned("a", 10, 11);
        calls.refused("e", Operation.ACQUIRE, 100, 190, 503).refused("f", Operation.ACQUIRE, 600, 690, 503);
        calls.refused("b", Operation.ACQUIRE, 710, 715, 423)
                .refused("c", Operation.ACQUIRE, 760, 765, 423)
                .refused("d", Operation.ACQUIRE, 850, 855, 423);
        expect();
        calls.refused("g", Operation.ACQUIRE, 300, 305, 423);
        expect(Promise.L);
    }

    @Test
    void acceptsRefusalsBecauseOfNextHolder() {
        calls.acquired("a", 0, 5, 1)
                .releaseAbandoned("a", 10, 11)
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
