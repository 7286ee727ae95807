package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Shows that the checker finds each kind of broken promise, and nothing where there is none. */
class CheckerTest {
    private final Calls calls = new Calls();

    @Test
    void oneAfterTheOtherIsFine() {
        calls.acquired("a", 0, 5, 1).acquired("b", 989, 992, 2);
        expect();
    }

    @Test
    void twoHoldersAtOnceAreFound() {
        calls.acquired("a", 0, 5, 1).acquired("b", 900, 905, 2);
        expect(Promise.S1);
    }

    @Test
    void aHolderWithinTheTimeOfALongerOneIsFoundBehindAShorterOne() {
        calls.acquired("a", 0, 5, 1)
                .acquired("b", 100, 105, 2)
                .released("b", 110, 115)
                .acquired("c", 200, 205, 3);
        expect(Promise.S1, Promise.S1);
    }

    @Test
    void aReleaseEndsTheClaimWhenItIsSent() {
        calls.acquired("a", 0, 5, 1).released("a", 100, 150).acquired("b", 101, 105, 2);
        expect();
    }

    @Test
    void anExtensionProlongsTheClaim() {
        calls.acquired("a", 0, 5, 1).extended("a", 500, 505, 1).acquired("b", 1_200, 1_205, 2);
        expect(Promise.S1);
    }

    @Test
    void aReplayClaimsOnlyWhatIsLeft() {
        calls.acquired("a", 0, 5, 1).replayed("a", 900, 905, 1, 50).acquired("b", 1_000, 1_005, 2);
        expect();
    }

    @Test
    void aReplayIsTheSameLease() {
        calls.acquired("a", 0, 5, 1).replayed("a", 100, 105, 1, 800);
        expect();
    }

    @Test
    void tooLongAValidityIsFound() {
        calls.valid("a", 985, 4);
        expect(Promise.S2);
    }

    @Test
    void theWholeValidityIsFine() {
        calls.valid("a", 984, 4);
        expect();
    }

    @Test
    void aLeaseThatIsOverIsFound() {
        calls.valid("a", 0, 4);
        expect(Promise.S2);
    }

    @Test
    void aSmallerTokenIsFound() {
        calls.acquired("a", 0, 5, 2).acquired("b", 2_000, 2_005, 1);
        expect(Promise.S3);
    }

    @Test
    void aSharedTokenIsFound() {
        calls.acquired("a", 0, 5, 1).released("a", 10, 15).acquired("b", 4, 16, 1);
        expect(Promise.S3);
    }

    @Test
    void aStrangersReleaseAndExtensionAreFound() {
        calls.released("stranger", 0, 5).extended("other", 10, 15, 1);
        expect(Promise.S4, Promise.S4);
    }

    @Test
    void anExtensionAfterTheReleaseIsFound() {
        calls.acquired("a", 0, 5, 1).released("a", 100, 105).extended("a", 200, 205, 1);
        expect(Promise.S4);
    }

    @Test
    void aLeaseThatIsTakenAwayIsFound() {
        calls.acquired("a", 0, 5, 1).refused("a", Operation.EXTEND, 200, 205, 404);
        expect(Promise.S4);
    }

    @Test
    void aLeaseThatIsOverMayBeLost() {
        calls.acquired("a", 0, 5, 1).refused("a", Operation.EXTEND, 1_200, 1_205, 404);
        expect();
    }

    @Test
    void aSlowAnswerIsFound() {
        calls.refused("a", Operation.ACQUIRE, 0, 691, 423);
        expect(Promise.L);
    }

    @Test
    void noAnswerIsFound() {
        calls.unanswered("a", 0, 100);
        expect(Promise.L);
    }

    @Test
    void aReplicaThatWasStoppedMayBeSlowButOnlyThen() {
        calls.hindered(FaultKind.SUSPEND_REPLICA, 500, 2_000).refused("a", Operation.ACQUIRE, 400, 2_010, 423);
        expect();
        calls.refused("b", Operation.ACQUIRE, 2_001, 2_700, 423);
        expect(Promise.L);
    }

    @Test
    void aConnectionThatAKilledReplicaLeftMayBreakLater() {
        calls.hindered(FaultKind.KILL_REPLICA, 500, 2_000).unanswered("a", 2_100, 2_101);
        expect();
    }

    @Test
    void aStallOfTheClientIsTakenOff() {
        calls.refused("a", Operation.ACQUIRE, 0, 800, 423).stalled(100, 300);
        expect();
    }

    @Test
    void aLeaseThatAMasterForgetsByItsClockIsOutsideTheModelButOnlyThen() {
        calls.acquired("a", 0, 5, 1).stepped(300, 500).refused("a", Operation.EXTEND, 400, 405, 404);
        assertEquals(1, Checker.check(calls.history).outside().size());
        expect();
    }

    @Test
    void aSteppedClockExcusesNoSecondHolder() {
        calls.acquired("a", 0, 5, 1).acquired("b", 400, 405, 2).stepped(300, 500);
        expect(Promise.S1);
    }

    @Test
    void aSteppedClockExcusesNoSmallerToken() {
        calls.acquired("a", 0, 5, 2).acquired("b", 1_100, 1_105, 1).stepped(1_000, 1_200);
        expect(Promise.S3);
    }

    @Test
    void aStallOfTheReplicaIsTakenOffOnce() {
        calls.refused("a", Operation.ACQUIRE, 0, 800, 423)
                .stalled("replica-1", 100, 150)
                .stalled(100, 150);
        expect(Promise.L);
    }

    @Test
    void stallsOfBothAtDifferentTimesAddUp() {
        calls.refused("a", Operation.ACQUIRE, 0, 800, 423)
                .stalled("replica-1", 100, 160)
                .stalled(150, 220);
        expect();
    }

    @Test
    void aClientThatLeftNeedsNoAnswer() {
        calls.vanished();
        expect();
    }

    @Test
    void findsWhatIsLeftInTheWorld() {
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
