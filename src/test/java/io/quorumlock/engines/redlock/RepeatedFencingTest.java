// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R10: fencing tokens of repeated acquires and extensions. They are larger than that of the previous lease, and equal
 * to that of the grant.
 */
@Proves({"S3", "R10"})
class RepeatedFencingTest {
    /** Longer than the longest TTL. */
    private static final Duration QUARANTINE = Duration.ofSeconds(62);

    private final FakeFleet fleet = new FakeFleet(5);

    /**
     * S3: a replica with old clock readings receives an acquire and its repetition with the same token. Master 3 lost its
     * counters before its quarantine. Masters 1 and 2, which know the last token, are down. The second call adopts the
     * values of the first one before their token is raised.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repeatedAcquireGetsLargerTokenThanPreviousLease(boolean firstHangsUp) {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.master(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.masters.forEach(FakeMaster::hideClock);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(2)));
        CompletableFuture<Acquisition> first = paused.acquire(RESOURCE, terms(B));
        CompletableFuture<Acquisition> second = paused.acquire(RESOURCE, terms(B));
        if (firstHangsUp) {
            first.cancel(false);
        }
        fleet.time.pass(Duration.ofMillis(1));
        fleet.masters.forEach(master -> master.setClock(Duration.ZERO));
        long after = lease(fleet.await(second)).fence().number();
        assertTrue(after > before, "fencing token " + after + " after " + before);
    }

    /** S3: as before, and the second replica has recent clock readings. */
    @Test
    void repeatedAcquireAtAnotherReplicaGetsLargerTokenThanPreviousLease() {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.master(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(2)));
        fleet.masters.forEach(FakeMaster::hideClock);
        paused.acquire(RESOURCE, terms(B));
        fleet.time.pass(Duration.ofNanos(500_000));
        fleet.masters.forEach(master -> master.setClock(Duration.ZERO));
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        long after = lease(again).fence().number();
        assertTrue(after > before, "fencing token " + after + " after " + before);
    }

    /** Masters 4 and 5 missed the grant. */
    @Test
    void repeatedAcquireKeepsTokenOfGrant() {
        fleet.setFault(Fault.DOWN, 4, 5);
        long granted = acquired(fleet.acquire(A)).fence().number();
        fleet.heal();
        assertEquals(granted, lease(fleet.acquire(A)).fence().number());
    }

    /** S3: as before, but the holder extends a lease whose token was returned by no call. */
    @Test
    void extensionOfUnconfirmedLeaseGetsLargerTokenThanPreviousLease() {
        Redlock paused = fleet.replica(2);
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = acquired(fleet.acquire(A)).fence().number();
        fleet.release(A);
        fleet.heal();
        fleet.master(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(2)));
        fleet.masters.forEach(FakeMaster::hideClock);
        paused.acquire(RESOURCE, terms(B));
        fleet.time.pass(Duration.ofNanos(500_000));
        fleet.masters.forEach(master -> master.setClock(Duration.ZERO));
        Extension extension = fleet.await(fleet.engine.extend(RESOURCE, B, TTL));
        long after = assertInstanceOf(Extension.Extended.class, extension)
                .lease()
                .fence()
                .number();
        assertTrue(after > before, after + " after " + before);
    }

    /** R10: a token derived from the clocks is not checked again against later readings. */
    @Test
    void oldLeaseKeepsItsTokenWithoutSecondRound() {
        long fence = lease(fleet.await(fleet.engine.acquire(RESOURCE, terms(A, Duration.ofSeconds(50)))))
                .fence()
                .number();
        fleet.time.pass(Duration.ofSeconds(40));
        int commands = fleet.master(1).commands();
        Acquisition again = fleet.await(fleet.engine.acquire(RESOURCE, terms(A, Duration.ofSeconds(50))));
        assertEquals(fence, lease(again).fence().number());
        for (int i = 0; i < 3; i++) {
            Extension extension = fleet.await(fleet.engine.extend(RESOURCE, A, Duration.ofSeconds(50)));
            assertEquals(
                    fence,
                    assertInstanceOf(Extension.Extended.class, extension)
                            .lease()
                            .fence()
                            .number());
            fleet.time.pass(Duration.ofSeconds(40));
        }
        assertEquals(commands + 4, fleet.master(1).commands());
    }

    /**
     * S3: the counters of masters 4 and 5 are ahead. The commands that give the lease its token there are late. Meanwhile
     * an extension at another replica is answered with the token of master 5, which master 4 confirmed, although its own is
     * larger. Messages are late, and no master fails. No two calls overlap.
     */
    @Test
    void laterExtensionGetsNoSmallerToken() {
        Redlock other = fleet.replica(2);
        grantOn(4, 4_000);
        grantOn(5, 2_000);
        answerAfter(2, 1, 2, 3);
        answerAfter(4, 4, 5);
        CompletableFuture<Acquisition> acquire = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(3));
        long granted = acquired(acquire.getNow(null)).fence().number();
        answerAfter(200, 4, 5);
        fleet.time.pass(Duration.ofMillis(2));

        answerAfter(2, 1, 2, 5);
        answerAfter(4, 3, 4);
        CompletableFuture<Extension> first = other.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(1));
        answerAfter(300, 2, 3);
        answerAfter(2, 4);
        fleet.time.pass(Duration.ofMillis(5));
        long raised = extended(first).fence().number();
        assertTrue(raised > granted, raised + " after " + granted);

        fleet.time.pass(Duration.ofMillis(100));
        answerAfter(2, 2, 3, 4);
        answerAfter(20, 1, 5);
        CompletableFuture<Extension> second = fleet.engine.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(10));
        long last = extended(second).fence().number();
        assertTrue(last >= raised, last + " after " + raised);
    }

    /** S3: as before, but masters 4 and 5 have the same token, and a failed extension raised it on master 1 only. */
    @Test
    void laterExtensionGetsNoSmallerTokenThanMajorityHad() {
        Redlock other = fleet.replica(2);
        grantOn(4, 4_000);
        grantOn(5, 4_000);
        answerAfter(2, 1, 2, 3);
        answerAfter(4, 4, 5);
        CompletableFuture<Acquisition> acquire = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(3));
        long granted = acquired(acquire.getNow(null)).fence().number();
        answerAfter(400, 4, 5);
        fleet.time.pass(Duration.ofMillis(2));

        answerAfter(2, 1, 4, 5);
        answerAfter(4, 2, 3);
        CompletableFuture<Extension> unconfirmed = other.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(1));
        answerAfter(2_000, 2, 3, 4, 5);
        fleet.time.pass(Duration.ofMillis(60));
        assertInstanceOf(Extension.Unconfirmed.class, unconfirmed.getNow(null));

        answerAfter(2, 1, 4, 5);
        CompletableFuture<Extension> first = other.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(3));
        long known = extended(first).fence().number();
        assertTrue(known > granted, known + " after " + granted);

        fleet.time.pass(Duration.ofMillis(200));
        answerAfter(2, 2, 4, 5);
        answerAfter(20, 1, 3);
        CompletableFuture<Extension> second = fleet.engine.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(10));
        long last = extended(second).fence().number();
        assertTrue(last >= known, last + " after " + known);
    }

    /**
     * S3: the counter of master 4 is ahead, and master 5 missed the grant. An extension counts the value of a failed acquire on master 5,
     * which is deleted later. Then the late command of an earlier repetition writes a value there, and gives it its token. No two
     * calls overlap.
     */
    @Test
    void lateGrantGetsNoSmallerTokenThanConfirmed() {
        Redlock other = fleet.replica(2);
        grantOn(4, 4_000);
        answerAfter(2, 1, 2, 3);
        answerAfter(4, 4);
        fleet.setFault(Fault.SILENT, 5);
        CompletableFuture<Acquisition> acquire = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(3));
        long granted = acquired(acquire.getNow(null)).fence().number();
        answerAfter(400, 4);
        fleet.time.pass(Duration.ofMillis(2));

        fleet.heal();
        fleet.setFault(Fault.DOWN, 1, 2, 3, 4);
        answerAfter(2, 5);
        CompletableFuture<Acquisition> failed = other.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(1));
        answerAfter(40, 5);
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.NoQuorum.class, failed.getNow(null));

        fleet.heal();
        answerAfter(46, 5);
        CompletableFuture<Acquisition> repeated = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(2));
        assertEquals(granted, lease(repeated.getNow(null)).fence().number());

        answerAfter(2, 1, 2, 4);
        answerAfter(400, 3, 5);
        CompletableFuture<Extension> first = other.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(1));
        answerAfter(4, 5);
        answerAfter(400, 2, 3);
        fleet.time.pass(Duration.ofMillis(7));
        long raised = extended(first).fence().number();
        assertTrue(raised > granted, raised + " after " + granted);

        answerAfter(2, 2, 3, 5);
        answerAfter(20, 1, 4);
        fleet.time.pass(Duration.ofMillis(60));
        CompletableFuture<Extension> second = fleet.engine.extend(RESOURCE, A, TTL);
        fleet.time.pass(Duration.ofMillis(10));
        long last = extended(second).fence().number();
        assertTrue(last >= raised, last + " after " + raised);
    }

    private static Lease extended(CompletableFuture<Extension> extension) {
        return assertInstanceOf(Extension.Extended.class, extension.getNow(null))
                .lease();
    }

    private void answerAfter(int millis, int... numbers) {
        for (int number : numbers) {
            fleet.master(number).answerAfter(Duration.ofMillis(millis));
        }
    }

    /** Lets a counter be ahead, for example because the others missed grants. */
    private void grantOn(int number, int ahead) {
        FencingToken fence = new FencingToken(fleet.time.wallClock().millis() * 1024 + ahead);
        AcquireCommand late =
                new AcquireCommand(ResourceNames.of(RESOURCE), B, "b", fence, terms(B), OptionalInt.empty());
        fleet.master(number).acquire(late, reply -> {});
        fleet.master(number).release(DeleteCondition.ofLease(ResourceNames.of(RESOURCE), B), reply -> {});
        fleet.time.pass(Duration.ZERO);
    }

    private static Lease lease(Acquisition acquisition) {
        return acquisition instanceof Acquisition.Replayed replayed ? replayed.lease() : acquired(acquisition);
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
