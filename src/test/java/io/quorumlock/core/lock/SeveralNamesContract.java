// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leases of several resources, which are acquired all or none, on every engine. */
@Proves("A")
interface SeveralNamesContract {
    ResourceName ONE = new ResourceName("accounts/1");
    ResourceName TWO = new ResourceName("accounts/2");
    ResourceName THREE = new ResourceName("accounts/3");

    /** Returns the engine of this test. */
    EngineFixture used();

    @Test
    default void acquiresAllOrNone() {
        lease(acquire(B, TWO));
        Held held = assertInstanceOf(Held.class, acquire(A, ONE, TWO, THREE));
        assertEquals(
                List.of(TWO), held.taken().stream().map(Held.Taken::resource).toList());
        assertInstanceOf(Inspection.Free.class, inspect(ONE));
        assertInstanceOf(Inspection.Free.class, inspect(THREE));
        release(B, TWO);
        assertEquals(3, lease(acquire(A, THREE, ONE, TWO)).resources().count());
        assertInstanceOf(Held.class, acquire(B, THREE));
    }

    @Test
    default void acquiresMostNames() {
        List<ResourceName> most = IntStream.range(0, ResourceNames.MOST)
                .mapToObj(i -> new ResourceName("many/" + i))
                .toList();
        lease(used().await(used().engine().acquire(new ResourceNames(most), terms(A))));
        most.forEach(name -> assertInstanceOf(Inspection.Held.class, inspect(name)));
    }

    @Test
    default void refusalNamesEachHeldLock() {
        acquire(B, TWO);
        used().pass(TTL.dividedBy(2));
        acquire(B, THREE);
        Held held = assertInstanceOf(Held.class, acquire(A, ONE, TWO, THREE));
        assertEquals(
                List.of(
                        new Held.Taken(TWO, Optional.empty(), TTL.dividedBy(2), Optional.of(B), false, false),
                        new Held.Taken(THREE, Optional.empty(), TTL, Optional.of(B), false, false)),
                held.taken());
    }

    @Test
    default void freesAllNamesOfVanishedHolder() {
        acquire(A, ONE, TWO);
        used().pass(TTL);
        lease(acquire(B, TWO));
        lease(acquire(B, ONE, THREE));
    }

    /** S3 */
    @Test
    default void fenceIsLargerThanEveryEarlierOneOfEachName() {
        for (int i = 0; i < 9; i++) {
            acquire(B, TWO);
            release(B, TWO);
        }
        long earlier = lease(acquire(B, TWO)).fence().number();
        release(B, TWO);
        long all = lease(acquire(A, ONE, TWO)).fence().number();
        assertTrue(all > earlier);
        release(A, ONE, TWO);
        assertTrue(lease(acquire(B, ONE)).fence().number() > all);
        assertTrue(lease(acquire(B, TWO)).fence().number() > all);
    }

    @Test
    default void repeatedAcquireOfSetGetsSameLease() {
        Lease lease = lease(acquire(A, ONE, TWO));
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, acquire(A, TWO, ONE));
        assertEquals(lease.fence(), again.lease().fence());
        assertInstanceOf(Extension.Extended.class, extend(A, ONE, TWO));
    }

    /** Two clients that widen their sets towards each other would wait for ever. */
    @Test
    default void setNeverChanges() {
        acquire(A, ONE, TWO);
        for (ResourceNames other : List.of(names(ONE), names(TWO), names(ONE, THREE), names(ONE, TWO, THREE))) {
            assertInstanceOf(
                    Acquisition.TokenInUse.class, used().await(used().engine().acquire(other, terms(A))));
        }
        assertInstanceOf(Inspection.Free.class, inspect(THREE));
        acquire(B, THREE);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(B, THREE, new ResourceName("accounts/4")));
    }

    @Test
    default void extendsAllNames() {
        Lease lease = lease(acquire(A, ONE, TWO));
        used().pass(TTL.dividedBy(2));
        Extension.Extended extended = assertInstanceOf(Extension.Extended.class, extend(A, TWO, ONE));
        assertEquals(lease.fence(), extended.lease().fence());
        assertEquals(2, extended.lease().resources().count());
        used().pass(TTL.dividedBy(2));
        assertInstanceOf(Held.class, acquire(B, ONE));
        assertInstanceOf(Held.class, acquire(B, TWO));
    }

    @Test
    default void extensionAndReleaseNeedAllNames() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Extension.Lost.class, extend(A, ONE));
        assertInstanceOf(Extension.Lost.class, extend(A, ONE, TWO, THREE));
        used().pass(Duration.ZERO);
        assertInstanceOf(Release.NotHeld.class, release(A, ONE));
        used().pass(Duration.ZERO);
        assertInstanceOf(Extension.Extended.class, extend(A, ONE, TWO));
        assertInstanceOf(Release.Released.class, release(A, ONE, TWO));
        assertInstanceOf(Inspection.Free.class, inspect(ONE));
        assertInstanceOf(Inspection.Free.class, inspect(TWO));
    }

    @Test
    default void losingOneNameLosesAll() {
        acquire(A, ONE, TWO, THREE);
        used().await(used().directory().forceRelease(TWO, ForceTerms.ALL));
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(A, ONE, TWO, THREE));
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.of(TWO)), extend(A, ONE, TWO, THREE));
        used().pass(Duration.ofMillis(500));
        assertInstanceOf(Inspection.Free.class, inspect(ONE));
        assertInstanceOf(Inspection.Free.class, inspect(THREE));
    }

    @Test
    default void releaseReportsLostNameAndReleasesOthers() {
        acquire(A, ONE, TWO);
        used().await(used().directory().forceRelease(ONE, ForceTerms.ALL));
        acquire(B, ONE);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.of(ONE)), release(A, ONE, TWO));
        used().pass(Duration.ZERO);
        lease(acquire(A, TWO));
        assertInstanceOf(Held.class, acquire(A, ONE));
    }

    /** The answer was 404, so that nothing of the lease may be gone. */
    @Test
    default void releaseOfOtherSetOfSameSizeLeavesLease() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Release.NotHeld.class, release(A, ONE, THREE));
        used().pass(Duration.ofMillis(100));
        assertInstanceOf(Held.class, acquire(B, ONE));
    }

    @Test
    default void extensionOfOtherSetOfSameSizeLeavesLease() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Extension.Lost.class, extend(A, ONE, THREE));
        used().pass(Duration.ofMillis(100));
        assertInstanceOf(Held.class, acquire(B, ONE));
    }

    @Test
    default void keepsAllNames() {
        acquire(A, ONE, TWO);
        Duration keep = Duration.ofSeconds(2);
        for (int repeated = 0; repeated < 2; repeated++) {
            assertInstanceOf(
                    Release.Released.class, used().await(used().engine().release(names(ONE, TWO), A, keep)));
        }
        assertInstanceOf(Held.class, acquire(B, ONE));
        Held held = assertInstanceOf(Held.class, acquire(A, TWO, THREE));
        assertTrue(held.kept());
        used().pass(keep);
        lease(acquire(B, ONE, TWO));
    }

    @Test
    default void inspectionAndListShowAllNamesOfLease() {
        ResourceName other = new ResourceName("accounts/é, +%2=");
        acquire(A, other, ONE);
        List<ResourceName> both = names(ONE, other).list();
        assertEquals(both, shown(other));
        extend(A, other, ONE);
        assertEquals(both, shown(ONE));
        used().await(used().engine().release(names(ONE, other), A, TTL));
        assertEquals(both, shown(ONE));
        assertEquals(2, list().size());
        list().forEach(lock -> assertEquals(both, lock.state().first().names()));
        acquire(B, TWO);
        assertEquals(List.of(), shown(TWO));
    }

    /** Each of them would have the names of all. */
    @Test
    default void namesOfLongSetAreNotShown() {
        ResourceName[] names = IntStream.range(0, 3)
                .mapToObj(i -> new ResourceName("x".repeat(511) + i))
                .toArray(ResourceName[]::new);
        acquire(A, names);
        assertEquals(List.of(), shown(names[0]));
        assertEquals(3, list().size());
        assertInstanceOf(Extension.Extended.class, extend(A, names));
    }

    private List<ResourceName> shown(ResourceName name) {
        return assertInstanceOf(Inspection.Held.class, inspect(name)).first().names();
    }

    private List<Listing.HeldLock> list() {
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 100);
        return assertInstanceOf(
                        Listing.Page.class, used().await(used().directory().list(all)))
                .locks();
    }

    private static ResourceNames names(ResourceName... names) {
        return new ResourceNames(List.of(names));
    }

    private Acquisition acquire(LeaseToken token, ResourceName... names) {
        return used().await(used().engine().acquire(names(names), terms(token)));
    }

    private Extension extend(LeaseToken token, ResourceName... names) {
        return used().await(used().engine().extend(names(names), token, TTL));
    }

    private Release release(LeaseToken token, ResourceName... names) {
        return used().await(used().engine().release(names(names), token, Duration.ZERO));
    }

    private Inspection inspect(ResourceName name) {
        return used().await(used().engine().inspect(name));
    }

    private static Lease lease(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
