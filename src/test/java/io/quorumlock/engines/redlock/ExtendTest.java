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
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.masters.RedisFleet;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Proves({"S4", "R7"})
class ExtendTest {
    private final FakeFleet fleet = new FakeFleet(5);

    /** R7 */
    @Test
    void doesNotCountMastersThatLostTheLease() {
        fleet.acquire(A);
        fleet.master(1).forget();
        fleet.master(2).forget();
        fleet.master(3).forget();
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), fleet.extend(A));
    }

    /** Otherwise the extended rest blocks the lock for a TTL as soon as one more master is down. */
    @Test
    void deletesRestOfLostLease() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 5);
        List.of(1, 2, 3).forEach(lost -> fleet.master(lost).forget());
        fleet.master(4).answerAfter(Duration.ofMillis(30));
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), fleet.extend(A));
        fleet.time.pass(FakeFleet.NODE_TIMEOUT);
        assertTrue(fleet.master(4).holdsNothing());
    }

    @Test
    void extendsWithoutLimitByDefault() {
        List<FakeMaster> masters = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new FakeMaster(fleet.time, FakeFleet.NODE_TIMEOUT, RedisFleet.NO_LIMIT))
                .toList();
        EngineSettings settings = new EngineSettings(
                FakeFleet.SETTINGS.drift(), OptionalInt.empty(), FakeFleet.TTL_MAX, FakeFleet.NODE_TIMEOUT);
        Redlock engine = new Redlock(masters, settings, fleet.time.engineContext(1), fleet.events);
        fleet.await(engine.acquire(RESOURCE, terms(A)));
        for (int i = 0; i < 2_000; i++) {
            Extension extension = fleet.await(engine.extend(RESOURCE, A, TTL));
            Extension.Extended extended = assertInstanceOf(Extension.Extended.class, extension);
            assertEquals(OptionalInt.empty(), extended.lease().extensionsLeft());
        }
    }

    @Test
    void reportsAgeOfExtendedLease() {
        fleet.acquire(A);
        for (int i = 0; i < 3; i++) {
            fleet.time.pass(Duration.ofSeconds(5));
            Extension.Extended extended = assertInstanceOf(Extension.Extended.class, fleet.extend(A));
            assertEquals(
                    Duration.ofSeconds(5L * (i + 1)),
                    extended.age().orElseThrow().truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /** R7 */
    @Test
    void failedExtensionKeepsLeaseUntilOldEnd() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    /** R4 */
    @Test
    void reportsLateConfirmationAsUnconfirmed() {
        fleet.acquire(A);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        assertInstanceOf(
                Extension.Unconfirmed.class, fleet.await(fleet.engine.extend(RESOURCE, A, Duration.ofMillis(40))));
    }

    /** R7 */
    @Test
    void unconfirmedExtensionDeletesNothing() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
        fleet.time.pass(Duration.ofSeconds(1));
        assertEquals(5, fleet.holding());
    }

    @Test
    void toleratesFailedMinority() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1);
        fleet.setFault(Fault.DOWN, 5);
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
    }
}
