// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
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

/** Leases of several resources on masters some of which fail. */
@Proves("A")
class SeveralNamesTest {
    private static final ResourceName ONE = new ResourceName("accounts/1");
    private static final ResourceName TWO = new ResourceName("accounts/2");
    private static final ResourceName THREE = new ResourceName("accounts/3");

    private final FakeFleet fleet = new FakeFleet(5);

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

    @Test
    void acceptsUpTo32DifferentNames() {
        List<ResourceName> most = IntStream.range(0, ResourceNames.MOST)
                .mapToObj(i -> new ResourceName("many/" + i))
                .toList();
        assertEquals(32, new ResourceNames(most).count());
        List<ResourceName> more = Stream.concat(most.stream(), Stream.of(ONE)).toList();
        assertThrows(IllegalArgumentException.class, () -> new ResourceNames(more));
        assertThrows(IllegalArgumentException.class, () -> names(ONE, ONE));
        assertThrows(IllegalArgumentException.class, () -> new ResourceNames(List.of()));
    }

    /** The texts "Aa" and "BB" have the same hash code. */
    @Test
    void tellsSetsOfLongNamesApart() {
        ResourceName[] first = longNames("Aa");
        ResourceName[] second = longNames("BB");
        assertEquals(
                names(first).toString().hashCode(), names(second).toString().hashCode());
        assertEquals(names(first).mark(), names(longNames("Aa")).mark());
        assertNotEquals(names(first).mark(), names(second).mark());
    }

    private static ResourceName[] longNames(String end) {
        return Stream.of("a", "b", "c")
                .map(name -> new ResourceName(name.repeat(400) + end))
                .toArray(ResourceName[]::new);
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
        return fleet.await(fleet.engine.extend(names(names), token, TTL));
    }

    private Release release(LeaseToken token, ResourceName... names) {
        return fleet.await(fleet.engine.release(names(names), token, Duration.ZERO));
    }

    private static Lease lease(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
