// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.EXTENSIONS_MAX;
import static io.quorumlock.testing.EngineFixture.OWNER;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every engine does while its masters or its store answer. */
@Proves({"S2", "S3", "S4", "R13"})
public abstract class LockEngineContract implements SeveralNamesContract, KeepContract, KindsContract {
    private final EngineFixture fixture = fixture();

    protected abstract EngineFixture fixture();

    @Override
    public EngineFixture used() {
        return fixture;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void grantsFreeResource() {
        Lease lease = acquired(acquire(A));
        assertEquals(A, lease.token());
        assertEquals(TTL, lease.ttl());
        assertEquals(Duration.ofMillis(9_898), lease.validity());
        assertEquals(EXTENSIONS_MAX, lease.extensionsLeft().orElseThrow());
    }

    @Test
    void refusesSecondClient() {
        acquire(terms(A, OWNER));
        Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, acquire(B));
        assertEquals(TTL, held.remaining());
        assertEquals(OWNER, held.first().owner());
        assertEquals(Optional.of(A), held.holder());
    }

    @Test
    void refusesSecondClientOfAnotherReplica() {
        acquire(A);
        assertInstanceOf(
                Acquisition.Held.class, fixture.await(fixture.otherReplica().acquire(RESOURCE, terms(B))));
    }

    @Test
    void freesLockOfVanishedHolderAfterTtl() {
        acquire(A);
        fixture.pass(TTL.minusMillis(1));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
        fixture.pass(Duration.ofMillis(1));
        acquired(acquire(B));
    }

    @Test
    void repeatedAcquireReturnsSameLeaseWithoutMoreTime() {
        Lease lease = acquired(acquire(A));
        fixture.pass(Duration.ofSeconds(4));
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, acquire(A));
        assertEquals(A, again.lease().token());
        assertEquals(lease.fence(), again.lease().fence());
        assertEquals(Duration.ofMillis(5_938), again.lease().validity());
        fixture.pass(Duration.ofSeconds(6));
        acquired(acquire(B));
    }

    @Test
    void repeatedAcquireOnAnotherReplicaReturnsSameLease() {
        Lease lease = acquired(acquire(A));
        Acquisition again = fixture.await(fixture.otherReplica().acquire(RESOURCE, terms(A)));
        assertEquals(
                lease.fence(),
                assertInstanceOf(Acquisition.Replayed.class, again).lease().fence());
    }

    @Test
    void refusesSameTokenWithOtherTerms() {
        acquire(A);
        AcquireTerms longer = new AcquireTerms(
                TTL.plusSeconds(1), Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(longer));
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(terms(A, OWNER)));
    }

    @Test
    void generatesTokenIfClientSentNone() {
        AcquireTerms none =
                new AcquireTerms(TTL, Duration.ZERO, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
        Lease first = acquired(acquire(none));
        release(first.token());
        Lease second = acquired(acquire(none));
        assertEquals(27, first.token().text().length());
        assertNotEquals(first.token(), second.token());
    }

    /** R11 */
    @Test
    void releasesLeaseOfDisconnectedCaller() {
        fixture.leave(() -> fixture.engine().acquire(RESOURCE, terms(A)));
        fixture.pass(Duration.ZERO);
        acquired(acquire(B));
    }

    @Test
    void extendsHeldLeaseFromNow() {
        Lease lease = acquired(acquire(A));
        fixture.pass(Duration.ofSeconds(9));
        Lease extended = extended(extend(A));
        assertEquals(Duration.ofMillis(9_898), extended.validity());
        assertEquals(lease.fence(), extended.fence());
        fixture.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
    }

    @Test
    void extendsThroughAnyReplica() {
        acquire(A);
        extended(fixture.await(fixture.otherReplica().extend(RESOURCE, A, TTL)));
        extended(extend(A));
    }

    @Test
    void reportsExpiredLeaseAsLost() {
        acquire(A);
        fixture.pass(TTL);
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), extend(A));
        assertEquals(new Release.NotHeld(Holder.NOBODY, Optional.empty()), release(A));
    }

    @Test
    void reportsLeaseOfAnotherHolderAsLost() {
        acquire(B);
        assertEquals(new Extension.Lost(Holder.ANOTHER, Optional.empty()), extend(A));
    }

    /** R7: the holder pauses, another client acquires and releases, then the first one extends. */
    @Test
    void doesNotRestoreLostLease() {
        acquire(A);
        fixture.pass(TTL);
        acquired(acquire(B));
        release(B);
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), extend(A));
    }

    /** R7 */
    @Test
    void neverShortensLease() {
        acquire(A);
        extended(fixture.await(fixture.engine().extend(RESOURCE, A, Duration.ofSeconds(1))));
        fixture.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
    }

    /** R13: a stuck client that keeps extending cannot hold a lock for ever. */
    @Test
    void limitsExtensionsOfOneLease() {
        acquire(A);
        for (int left = EXTENSIONS_MAX - 1; left >= 0; left--) {
            assertEquals(left, extended(extend(A)).extensionsLeft().orElseThrow());
        }
        assertEquals(new Extension.Exhausted(EXTENSIONS_MAX), extend(A));
        fixture.pass(TTL);
        acquired(acquire(B));
    }

    @Test
    void freesReleasedResourceAtOnce() {
        acquire(A);
        assertInstanceOf(Release.Released.class, release(A));
        acquired(fixture.await(fixture.otherReplica().acquire(RESOURCE, terms(B))));
    }

    @Test
    void reportsSecondReleaseAsNotHeld() {
        acquire(A);
        release(A);
        assertEquals(new Release.NotHeld(Holder.NOBODY, Optional.empty()), release(A));
    }

    /** R6: requests of a past holder never affect a later one. */
    @Test
    void releaseOfExpiredLeaseDoesNotAffectNextHolder() {
        acquire(A);
        fixture.pass(TTL);
        acquired(acquire(B));
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.empty()), release(A));
        extended(extend(B));
    }

    @Test
    void releasesThroughAnyReplica() {
        acquire(A);
        assertInstanceOf(
                Release.Released.class, fixture.await(fixture.otherReplica().release(RESOURCE, A)));
        assertInstanceOf(Inspection.Free.class, fixture.await(fixture.engine().inspect(RESOURCE)));
    }

    /** S3 */
    @Test
    void laterLeaseHasLargerFencingToken() {
        Lease first = acquired(acquire(A));
        release(A);
        Lease second = acquired(fixture.await(fixture.otherReplica().acquire(RESOURCE, terms(B))));
        fixture.pass(TTL);
        assertTrue(first.fence().compareTo(second.fence()) < 0);
        assertTrue(second.fence().compareTo(acquired(acquire(A)).fence()) < 0);
    }

    @Test
    void inspectionShowsHolderUntilRelease() {
        Lease lease = acquired(acquire(terms(A, OWNER)));
        Inspection shown = fixture.await(fixture.engine().inspect(RESOURCE));
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, shown);
        assertEquals(TTL, held.first().remaining());
        assertEquals(OWNER, held.first().owner());
        assertEquals(Optional.of(lease.fence()), held.first().fence());
        release(A);
        assertInstanceOf(Inspection.Free.class, fixture.await(fixture.engine().inspect(RESOURCE)));
    }

    private Acquisition acquire(LeaseToken token) {
        return acquire(terms(token));
    }

    private Acquisition acquire(AcquireTerms terms) {
        return fixture.await(fixture.engine().acquire(RESOURCE, terms));
    }

    private Extension extend(LeaseToken token) {
        return fixture.await(fixture.engine().extend(RESOURCE, token, TTL));
    }

    private Release release(LeaseToken token) {
        return fixture.await(fixture.engine().release(RESOURCE, token));
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }

    private static Lease extended(Extension extension) {
        return assertInstanceOf(Extension.Extended.class, extension).lease();
    }
}
