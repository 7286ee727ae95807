// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Inspection;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an inspection says about the past of a lease. */
class InspectionTest {
    private final FakeFleet fleet = new FakeFleet(5);
    private final Instant start = fleet.time.wallClock().instant();

    @Test
    void showsTimeOfGrantAndExtensions() {
        fleet.time.pass(Duration.ofSeconds(3));
        fleet.acquire(A);
        assertEquals(Optional.of(start.plusSeconds(3)), held().since());
        assertEquals(0, held().extensions());
        Instant granted = held().since().orElseThrow();
        for (int extensions = 1; extensions <= 3; extensions++) {
            fleet.time.pass(Duration.ofSeconds(1));
            fleet.extend(A);
            assertEquals(extensions, held().extensions());
            assertEquals(Optional.of(granted), held().since());
        }
    }

    @Test
    void repeatedAcquireDoesNotMakeLeaseYounger() {
        fleet.acquire(A);
        fleet.time.pass(Duration.ofSeconds(2));
        fleet.acquire(A);
        assertEquals(Optional.of(start), held().since());
    }

    /** A master without the grant or without an extension must not hide what the others know. */
    @Test
    void showsEarliestTimeAndMostExtensions() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.extend(A);
        fleet.heal();
        fleet.setFault(Fault.DOWN, 3, 4);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.await(fleet.replica(2).acquire(RESOURCE, terms(A)));
        fleet.heal();
        assertEquals(Optional.of(start), held().since());
        assertEquals(1, held().extensions());
    }

    /** The masters count tokens if the replica does not know the time. */
    @Test
    void showsNoTimeOfCountedToken() {
        fleet.masters.forEach(FakeMaster::hideClock);
        fleet.acquire(B);
        assertEquals(Optional.empty(), held().since());
    }

    private Inspection.HolderState held() {
        return assertInstanceOf(Inspection.Held.class, fleet.inspect()).first();
    }
}
