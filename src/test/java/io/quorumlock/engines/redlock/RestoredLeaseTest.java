// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** R7: an extension restores its lease on the masters that do not have it. */
@Proves({"L2", "R7"})
class RestoredLeaseTest {
    private static final Duration RESTORED = NODE_TIMEOUT.multipliedBy(2).plusMillis(10);
    private static final ResourceNames ONE = ResourceNames.of(RESOURCE);
    private static final ResourceNames TWO = new ResourceNames(List.of(RESOURCE, new ResourceName("orders/43")));

    static final List<Lock> LOCKS = List.of(
            new Lock(ONE, LockKind.EXCLUSIVE),
            new Lock(TWO, LockKind.EXCLUSIVE),
            new Lock(ONE, LockKind.SHARED),
            new Lock(ONE, LockKind.ofSlots(2)));

    private final FakeFleet fleet = new FakeFleet(5);

    /** A lock of each kind. */
    record Lock(ResourceNames resources, LockKind kind) {}

    @ParameterizedTest
    @FieldSource("LOCKS")
    void survivesTheLossOfTwoMastersAfterItsGrantByThree(Lock lock) {
        fleet.setFault(Fault.DOWN, 4, 5);
        acquire(lock, A);
        fleet.heal();
        extended(lock, A);
        assertEquals(3, votes());
        fleet.time.pass(RESTORED);
        assertEquals(5, votes());
        fleet.setFault(Fault.DOWN, 1, 2);
        extended(lock, A);
        assertInstanceOf(Release.Released.class, fleet.await(fleet.engine.release(lock.resources(), A, Duration.ZERO)));
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(0, fleet.holding());
    }

    @ParameterizedTest
    @FieldSource("LOCKS")
    void survivesRestartsOfAllMastersOneByOne(Lock lock) {
        acquire(lock, A);
        fleet.masters.subList(0, FakeFleet.EXTENSIONS_MAX).forEach(master -> {
            master.forget();
            extended(lock, A);
            fleet.time.pass(RESTORED);
            assertEquals(5, votes());
        });
    }

    /** C: the other place of the semaphore is free on each master, and the own one taken. */
    @Test
    void keepsItsPlace() {
        Lock semaphore = new Lock(ONE, LockKind.ofSlots(2));
        fleet.setFault(Fault.DOWN, 4, 5);
        acquire(semaphore, A);
        fleet.heal();
        extended(semaphore, A);
        fleet.time.pass(RESTORED);
        acquire(semaphore, B);
        assertEquals(5, votes());
        Acquisition third =
                fleet.await(fleet.engine.acquire(ONE, terms(semaphore, new LeaseToken("token-of-client-C"))));
        assertInstanceOf(Acquisition.Held.class, third);
    }

    @Test
    void sendsNoFurtherCommandIfAllMastersHaveTheLease() {
        fleet.acquire(A);
        int before = commands();
        fleet.extend(A);
        fleet.time.pass(RESTORED);
        assertEquals(5, commands() - before);
    }

    @Test
    void answersBeforeTheLeaseIsRestored() {
        fleet.acquire(A);
        fleet.master(5).forget();
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        assertTrue(fleet.master(5).holdsNothing());
    }

    /** The restored lease ends with the extension. */
    @Test
    void restoresForTheRestOfTheLease() {
        fleet.acquire(A);
        fleet.master(5).forget();
        fleet.extend(A);
        fleet.time.pass(TTL.minusMillis(200));
        assertEquals(5, fleet.holding());
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
    }

    @Test
    void leavesValueOfAnotherAttempt() {
        fleet.acquire(A);
        fleet.master(5).forget();
        Ask.acquire(RESOURCE, B, "attempt.1", TTL, Optional.empty()).put(fleet.master(5), granted -> {});
        fleet.extend(A);
        fleet.time.pass(RESTORED);
        Ask.release(RESOURCE, B).put(fleet.master(5), deleted -> {});
        fleet.time.pass(RESTORED);
        assertTrue(fleet.master(5).holdsNothing());
    }

    @Test
    void doesNotRestoreWithoutMajority() {
        fleet.acquire(A);
        fleet.master(4).forget();
        fleet.master(5).forget();
        fleet.setFault(Fault.SILENT, 3);
        assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
        fleet.heal();
        fleet.time.pass(RESTORED);
        assertEquals(3, fleet.holding());
    }

    /** The lease loses its majority after the extension. */
    @Test
    void doesNotReviveLeaseThatIsLostMeanwhile() {
        fleet.acquire(A);
        fleet.master(4).forget();
        fleet.master(5).forget();
        fleet.extend(A);
        fleet.master(3).forget();
        fleet.time.pass(RESTORED);
        assertEquals(2, fleet.holding());
    }

    /** The deletes arrive at two masters before the extension, and at the other three after it. */
    @Test
    void doesNotUndoReleaseThatOverlapsTheExtension() {
        fleet.acquire(A);
        fleet.masters.subList(2, 5).forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        CompletableFuture<Release> release = fleet.replica(2).release(RESOURCE, A);
        fleet.time.pass(Duration.ZERO);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ZERO));
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        assertInstanceOf(Release.Released.class, fleet.await(release));
        fleet.time.pass(RESTORED);
        assertEquals(0, fleet.holding());
    }

    /** The deletes arrive at the masters without the lease after they permitted to restore it. Two masters do not get them. */
    @Test
    void doesNotUndoForcedRelease() {
        fleet.setFault(Fault.DOWN, 4, 5);
        fleet.acquire(A);
        fleet.heal();
        fleet.extend(A);
        fleet.time.pass(NODE_TIMEOUT.multipliedBy(2).minusMillis(21));
        assertEquals(3, fleet.holding());
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<ForcedRelease> forced = fleet.directory.forceRelease(RESOURCE, ForceTerms.ALL);
        fleet.time.pass(Duration.ofMillis(9));
        fleet.setFault(Fault.SILENT, 2, 3);
        fleet.time.pass(Duration.ofMillis(2));
        fleet.heal();
        fleet.masters.subList(3, 5).forEach(master -> master.answerAfter(Duration.ofMillis(30)));
        assertInstanceOf(ForcedRelease.Broken.class, fleet.await(forced));
        fleet.time.pass(Duration.ofMillis(30));
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
    }

    /**
     * Two masters without the lease get the deletes of all holders before they permit to restore it, and the other three are
     * slow. Two of these get no delete that is sent after the question for a majority, and the first two none that follows the
     * answer.
     */
    @Test
    void doesNotUndoForcedReleaseOfSeveralHolders() {
        for (String other : List.of("B", "C", "D")) {
            LeaseToken token = new LeaseToken("token-of-client-" + other);
            fleet.await(fleet.engine.acquire(ONE, terms(LOCKS.get(2), token, TTL.multipliedBy(2))));
        }
        fleet.setFault(Fault.DOWN, 4, 5);
        acquire(LOCKS.get(2), A);
        fleet.heal();
        fleet.masters.subList(3, 5).forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        fleet.engine.extend(ONE, A, TTL);
        fleet.time.pass(Duration.ofMillis(25));
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(2)));
        CompletableFuture<ForcedRelease> forced = fleet.directory.forceRelease(RESOURCE, ForceTerms.ALL);
        fleet.time.pass(Duration.ofMillis(1));
        fleet.masters.subList(0, 3).forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        fleet.time.pass(Duration.ofMillis(118));
        fleet.setFault(Fault.SILENT, 2, 3);
        fleet.time.pass(Duration.ofMillis(42));
        fleet.setFault(Fault.SILENT, 4, 5);
        assertInstanceOf(ForcedRelease.Broken.class, fleet.await(forced));
        fleet.heal();
        fleet.masters.forEach(master -> master.answerAfter(Duration.ZERO));
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
    }

    /** S3: the later lease is granted by masters of which only the restored ones know the token of the earlier one. */
    @Test
    void laterLeaseHasLargerToken() {
        fleet.masters.forEach(FakeMaster::hideClock);
        for (int i = 0; i < 3; i++) {
            fleet.acquire(B);
            fleet.release(B);
        }
        fleet.setFault(Fault.DOWN, 4, 5);
        fleet.acquire(A);
        fleet.heal();
        fleet.master(4).forget();
        fleet.master(5).forget();
        Lease lease = extended(LOCKS.get(0), A);
        fleet.time.pass(RESTORED);
        fleet.master(1).forget();
        fleet.master(2).forget();
        fleet.release(A);
        fleet.setFault(Fault.DOWN, 3);
        Acquisition later = fleet.await(fleet.replica(3).acquire(RESOURCE, FakeFleet.terms(B)));
        assertTrue(later.granted().orElseThrow().fence().compareTo(lease.fence()) > 0);
    }

    private int votes() {
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        return held.votes().granted();
    }

    private int commands() {
        return fleet.masters.stream().mapToInt(FakeMaster::commands).sum();
    }

    private void acquire(Lock lock, LeaseToken token) {
        Acquisition acquired = fleet.await(fleet.engine.acquire(lock.resources(), terms(lock, token)));
        assertInstanceOf(Acquisition.Acquired.class, acquired);
    }

    private static AcquireTerms terms(Lock lock, LeaseToken token) {
        return terms(lock, token, TTL);
    }

    private static AcquireTerms terms(Lock lock, LeaseToken token, Duration ttl) {
        return new AcquireTerms(ttl, Duration.ZERO, Optional.of(token), Optional.empty(), lock.kind());
    }

    private Lease extended(Lock lock, LeaseToken token) {
        Extension extension = fleet.await(fleet.engine.extend(lock.resources(), token, TTL));
        return assertInstanceOf(Extension.Extended.class, extension).lease();
    }
}
