// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.ValidityShortage;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Minimum validity: a lease has at least the requested validity, or it is not granted. */
class MinValidityTest {
    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void grantsLeaseWithEnoughValidity() {
        Lease lease = acquired(fleet.await(fleet.engine.acquire(RESOURCE, needing(Duration.ofMillis(9_898)))));
        assertEquals(Duration.ofMillis(9_898), lease.validity());
    }

    @Test
    void rejectsLeaseWithTooLittleValidityWithoutLeftovers() {
        Duration asked = Duration.ofMillis(9_899);
        Acquisition.TooShort tooShort = tooShort(fleet.await(fleet.engine.acquire(RESOURCE, needing(asked))));
        assertEquals(new ValidityShortage(asked, Duration.ofMillis(9_898)), tooShort.shortage());
        assertFalse(tooShort.wasHeld());
        fleet.time.pass(Duration.ZERO);
        assertEquals(0, fleet.holding());
    }

    @Test
    void countsDurationOfTheRound() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        Acquisition.TooShort tooShort =
                tooShort(fleet.await(fleet.engine.acquire(RESOURCE, needing(Duration.ofMillis(9_890)))));
        assertEquals(Duration.ofMillis(9_858), tooShort.shortage().left());
    }

    /** The outcome waits for all masters: a value that is adopted after it could belong to a later lease. */
    @Test
    void replayThatEndsLeaseWaitsForEveryMaster() {
        fleet.acquire(A);
        fleet.time.pass(Duration.ofSeconds(4));
        fleet.master(5).answerAfter(Duration.ofMillis(40));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, needing(Duration.ofSeconds(6)));
        fleet.time.pass(Duration.ofMillis(39));
        assertNull(answer.getNow(null));
        fleet.time.pass(Duration.ofMillis(1));
        assertTrue(tooShort(answer.getNow(null)).wasHeld());
        fleet.time.pass(Duration.ofMillis(20));
        assertEquals(0, fleet.holding());
    }

    /** The caller does not get the outcome, and may rely on the lease. */
    @Test
    void replayOfDisconnectedCallerDeletesNothing() {
        fleet.acquire(A);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, needing(TTL));
        fleet.time.pass(Duration.ofMillis(5));
        answer.cancel(false);
        fleet.time.pass(Duration.ofMillis(25));
        assertEquals(5, fleet.holding());
    }

    /** R6: when the masters return, the lease may have been returned again. */
    @Test
    void lateDeleteDoesNotAffectLaterReplay() {
        fleet.acquire(A);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, needing(TTL));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.setFault(Fault.DOWN, 1, 2, 3, 4, 5);
        fleet.time.pass(Duration.ofMillis(1));
        assertTrue(tooShort(answer.getNow(null)).wasHeld());
        fleet.heal();
        assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(5, fleet.holding());
    }

    /** The minimum validity is not stored with the lease, because time has passed at the retry. */
    @Test
    void replayMayRequireLessValidity() {
        fleet.await(fleet.engine.acquire(RESOURCE, needing(Duration.ofSeconds(9))));
        fleet.time.pass(Duration.ofSeconds(4));
        assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
    }

    private static AcquireTerms needing(Duration minValidity) {
        return new AcquireTerms(TTL, minValidity, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static Acquisition.TooShort tooShort(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.TooShort.class, acquisition);
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
