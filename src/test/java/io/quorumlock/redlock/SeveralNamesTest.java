// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Leases of several resources, which are acquired all or none. */
class SeveralNamesTest {
    private static final ResourceName ONE = new ResourceName("accounts/1");
    private static final ResourceName TWO = new ResourceName("accounts/2");
    private static final ResourceName THREE = new ResourceName("accounts/3");

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void acquiresAllOrNone() {
        lease(acquire(B, TWO));
        Held held = assertInstanceOf(Held.class, acquire(A, ONE, TWO, THREE));
        assertEquals(
                List.of(TWO), held.taken().stream().map(Held.Taken::resource).toList());
        assertEquals(TTL, held.remaining());
        assertInstanceOf(Inspection.Free.class, inspect(ONE));
        assertInstanceOf(Inspection.Free.class, inspect(THREE));
        release(B, TWO);
        assertEquals(3, lease(acquire(A, THREE, ONE, TWO)).resources().count());
        assertInstanceOf(Held.class, acquire(B, THREE));
    }

    @Test
    void refusalNamesEachHeldLock() {
        acquire(B, TWO);
        fleet.time.pass(TTL.dividedBy(2));
        acquire(B, THREE);
        Held held = assertInstanceOf(Held.class, acquire(A, ONE, TWO, THREE));
        assertEquals(
                List.of(
                        new Held.Taken(TWO, Optional.empty(), TTL.dividedBy(2), Optional.of(B), false),
                        new Held.Taken(THREE, Optional.empty(), TTL, Optional.of(B), false)),
                held.taken());
        assertEquals(TTL, held.remaining());
    }

    /** S3 */
    @Test
    void fenceIsLargerThanEveryEarlierOneOfEachName() {
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
    void repeatedAcquireGetsSameLease() {
        Lease lease = lease(acquire(A, ONE, TWO));
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, acquire(A, TWO, ONE));
        assertEquals(lease.fence(), again.lease().fence());
    }

    /** Two clients that widen their sets towards each other would wait for ever. */
    @Test
    void setNeverChanges() {
        acquire(A, ONE, TWO);
        for (ResourceNames other : List.of(names(ONE), names(TWO), names(ONE, THREE), names(ONE, TWO, THREE))) {
            assertInstanceOf(Acquisition.TokenInUse.class, fleet.await(fleet.engine.acquire(other, terms(A))));
        }
        assertInstanceOf(Inspection.Free.class, inspect(THREE));
        acquire(B, THREE);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(B, THREE, new ResourceName("accounts/4")));
    }

    @Test
    void extendsAll() {
        acquire(A, ONE, TWO);
        fleet.time.pass(TTL.dividedBy(2));
        assertInstanceOf(Extension.Extended.class, extend(A, TWO, ONE));
        fleet.time.pass(TTL.dividedBy(2));
        assertInstanceOf(Held.class, acquire(B, ONE));
        assertInstanceOf(Held.class, acquire(B, TWO));
    }

    @Test
    void extensionAndReleaseNeedAllNames() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Extension.Lost.class, extend(A, ONE));
        assertInstanceOf(Extension.Lost.class, extend(A, ONE, TWO, THREE));
        acquire(A, ONE, TWO);
        assertInstanceOf(Release.NotHeld.class, release(A, ONE));
        assertInstanceOf(Extension.Extended.class, extend(A, ONE, TWO));
        assertInstanceOf(Release.Released.class, release(A, ONE, TWO));
    }

    @Test
    void losingOneNameLosesAll() {
        acquire(A, ONE, TWO, THREE);
        fleet.await(fleet.directory.forceRelease(TWO));
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.of(TWO)), extend(A, ONE, TWO, THREE));
        fleet.time.pass(Duration.ofMillis(500));
        assertEquals(0, fleet.holding());
    }

    /** Masters that lost one name do not count for the extension. */
    @Test
    void extensionCountsOnlyMastersWithAllNames() {
        acquire(A, ONE, TWO);
        fleet.setFault(Fault.DOWN, 4, 5);
        acquire(B, THREE);
        fleet.heal();
        fleet.master(1).forget();
        assertInstanceOf(Extension.Extended.class, extend(A, ONE, TWO));
        fleet.master(2).forget();
        fleet.master(3).forget();
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.of(ONE)), extend(A, ONE, TWO));
    }

    @Test
    void releaseReportsLostNameAndReleasesOthers() {
        acquire(A, ONE, TWO);
        fleet.await(fleet.directory.forceRelease(ONE));
        acquire(B, ONE);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.of(ONE)), release(A, ONE, TWO));
        assertInstanceOf(Acquisition.Acquired.class, acquire(A, TWO));
        assertInstanceOf(Held.class, acquire(A, ONE));
    }

    @Test
    void keepsAllNames() {
        acquire(A, ONE, TWO);
        Duration keep = Duration.ofSeconds(2);
        assertInstanceOf(Release.Released.class, fleet.await(fleet.engine.release(names(ONE, TWO), A, keep)));
        assertInstanceOf(Held.class, acquire(B, ONE));
        assertInstanceOf(Held.class, acquire(B, TWO, THREE));
        fleet.time.pass(keep);
        assertInstanceOf(Acquisition.Acquired.class, acquire(B, ONE, TWO));
    }

    /** R5: the clean-up deletes all names on every master. */
    @Test
    void failedAttemptLeavesNothing() {
        fleet.setFault(Fault.DOWN, 3, 4, 5);
        assertInstanceOf(Acquisition.NoQuorum.class, acquire(A, ONE, TWO));
        assertEquals(0, fleet.holding());
    }

    /** S3: two of the names share a counter, which is older than that of the third name. */
    @Test
    void fenceGrowsIfTwoNamesShareCounter() {
        List<ResourceName> sharing = sharingCounter();
        acquire(B, sharing.get(0));
        release(B, sharing.get(0));
        fleet.time.pass(Duration.ofSeconds(1));
        long earlier = lease(acquire(B, THREE)).fence().number();
        release(B, THREE);
        fleet.time.pass(Duration.ofSeconds(1));
        long later =
                lease(acquire(A, sharing.get(0), sharing.get(1), THREE)).fence().number();
        assertTrue(later > earlier, later + " after " + earlier);
    }

    /** A: the answer was 404, so that nothing of the lease may be gone. */
    @Test
    void releaseOfOtherSetOfSameSizeLeavesLease() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Release.NotHeld.class, release(A, ONE, THREE));
        assertInstanceOf(Held.class, acquire(B, ONE));
    }

    @Test
    void extensionOfOtherSetOfSameSizeLeavesLease() {
        acquire(A, ONE, TWO);
        assertInstanceOf(Extension.Lost.class, extend(A, ONE, THREE));
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Held.class, acquire(B, ONE));
    }

    @Test
    void acceptsUpTo32DifferentNames() {
        List<ResourceName> most = IntStream.range(0, ResourceNames.MOST)
                .mapToObj(i -> new ResourceName("many/" + i))
                .toList();
        assertInstanceOf(
                Acquisition.Acquired.class, fleet.await(fleet.engine.acquire(new ResourceNames(most), terms(A))));
        List<ResourceName> more = Stream.concat(most.stream(), Stream.of(ONE)).toList();
        assertThrows(IllegalArgumentException.class, () -> new ResourceNames(more));
        assertThrows(IllegalArgumentException.class, () -> names(ONE, ONE));
        assertThrows(IllegalArgumentException.class, () -> new ResourceNames(List.of()));
    }

    private static List<ResourceName> sharingCounter() {
        Map<Long, String> seen = new HashMap<>();
        for (int i = 0; ; i++) {
            String name = "a/" + i;
            CRC32 hash = new CRC32();
            hash.update(name.getBytes(StandardCharsets.UTF_8));
            String other = seen.put(hash.getValue() % (1 << 16), name);
            if (other != null) {
                return List.of(new ResourceName(other), new ResourceName(name)).stream()
                        .sorted(Comparator.comparing(ResourceName::text))
                        .toList();
            }
        }
    }

    private static ResourceNames names(ResourceName... names) {
        return new ResourceNames(List.of(names));
    }

    private Acquisition acquire(LeaseToken token, ResourceName... names) {
        return fleet.await(fleet.engine.acquire(names(names), terms(token)));
    }

    private Extension extend(LeaseToken token, ResourceName... names) {
        return fleet.await(fleet.engine.extend(names(names), token, new ExtendTerms(TTL, Duration.ZERO)));
    }

    private Release release(LeaseToken token, ResourceName... names) {
        return fleet.await(fleet.engine.release(names(names), token, Duration.ZERO));
    }

    private Inspection inspect(ResourceName name) {
        return fleet.await(fleet.engine.inspect(name));
    }

    private static Lease lease(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
