// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the start and end of claims, for releases, waits, minimum validities, forced releases and sessions. */
class ClaimTest {
    private final Calls calls = new Calls();

    @Test
    void sentReleaseEndsClaim() {
        calls.acquired("a", 0, 5, 1).released("a", 100, 150).acquired("b", 101, 105, 2);
        expect();
    }

    @Test
    void rejectedReleaseDoesNotEndClaim() {
        calls.acquired("a", 0, 5, 1)
                .ended("a", Operation.RELEASE, 100, 105, Outcome.REJECTED)
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
                .ended("a", Operation.RELEASE, 10, 15, Outcome.LEFT)
                .acquired("a", 20, 25, 2)
                .acquired("b", 100, 105, 3);
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
    void forcedReleaseEndsClaimOfBrokenLease() {
        calls.acquired("a", 0, 5, 1)
                .ended("operator", Operation.BREAK, 100, 110, Outcome.DONE)
                .acquired("b", 105, 112, 2)
                .ended("a", Operation.EXTEND, 120, 125, Outcome.LOST);
        expect();
    }

    @Test
    void forcedReleaseDoesNotEndLaterClaim() {
        calls.acquired("a", 0, 5, 1)
                .ended("operator", Operation.BREAK, 100, 110, Outcome.DONE)
                .acquired("b", 111, 115, 2)
                .acquired("c", 120, 125, 3);
        expect(Promise.S1);
    }

    @Test
    void forcedReleaseDoesNotEndClaimOfWaiter() {
        calls.acquired("a", 0, 5, 1)
                .ended("operator", Operation.BREAK, 100, 110, Outcome.DONE)
                .waited("b", 90, 900, 2)
                .acquired("c", 920, 925, 3);
        expect(Promise.S1);
    }

    @Test
    void forcedReleaseOfFreeLockEndsNoClaim() {
        calls.acquired("a", 0, 5, 1)
                .ended("operator", Operation.BREAK, 100, 110, Outcome.LOST)
                .acquired("b", 111, 115, 2);
        expect(Promise.S1);
    }

    @Test
    void extensionAfterForcedReleaseIsClaim() {
        calls.acquired("a", 0, 5, 1)
                .ended("operator", Operation.BREAK, 100, 110, Outcome.DONE)
                .extended("a", 120, 125, 1)
                .acquired("b", 200, 205, 2);
        expect(Promise.S1, Promise.S4);
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

    private void expect(Promise... promises) {
        History history = new History(calls.list(), Calls.LIMITS, call -> false);
        assertEquals(
                List.of(promises),
                Checker.check(history).stream().map(Violation::promise).toList());
    }
}
