// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1, S4: leases that their holders extended after a forced release are not deleted by its later deletes. */
@Proves("R6")
class ExtendedAfterForcedReleaseTest {
    private final FakeFleet fleet = new FakeFleet(5);

    /** The delete is repeated in the background. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void keepsLeaseExtendedAfterUnconfirmedRelease(int extensionsBefore) {
        fleet.acquire(A);
        for (int i = 0; i < extensionsBefore; i++) {
            assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        }
        forceReleaseConfirmedByNodes1And2();
        extendAndKeepMajority();
    }

    /** The next extension gives master 5 the number of extensions that the others had at the forced release. */
    @Test
    void keepsLeaseExtendedOnMasterThatMissedEarlierExtension() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 5);
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        forceReleaseConfirmedByNodes1And2();
        extendAndKeepMajority();
    }

    /** The acquire of the broken attempt was in flight, and won afterwards. */
    @Test
    void keepsLeaseThatWasGrantedAndExtendedAfterRelease() {
        fleet.masters.subList(2, 5).forEach(master -> master.answerAfter(Duration.ofMillis(20)));
        CompletableFuture<Acquisition> acquire = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(1));
        fleet.masters.forEach(master -> master.answerAfter(Duration.ZERO));
        assertInstanceOf(ForcedRelease.Broken.class, fleet.force());
        assertInstanceOf(Acquisition.Acquired.class, fleet.await(acquire));
        extendAndKeepMajority();
    }

    /** Returns after the connections to masters 3 to 5 broke for a moment, those to 3 and 4 after their read. */
    private void forceReleaseConfirmedByNodes1And2() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<ForcedRelease> forced = fleet.directory.forceRelease(RESOURCE, ForceTerms.ALL);
        fleet.time.pass(Duration.ofMillis(9));
        fleet.setFault(Fault.DOWN, 3, 4, 5);
        fleet.time.pass(Duration.ofMillis(11));
        assertInstanceOf(ForcedRelease.Unconfirmed.class, forced.getNow(null));
        fleet.heal();
    }

    private void extendAndKeepMajority() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        CompletableFuture<Extension> extension = fleet.engine.extend(RESOURCE, A, FakeFleet.TTL);
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Extension.Extended.class, extension.getNow(null));
        fleet.time.pass(Duration.ofSeconds(1));
        Acquisition other = fleet.await(fleet.engine.acquire(RESOURCE, terms(B)));
        assertFalse(other instanceof Acquisition.Acquired, "two leases");
    }
}
