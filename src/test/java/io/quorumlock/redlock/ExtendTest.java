package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.EXTENSIONS_MAX;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Holder;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExtendTest {
    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void aHeldLeaseGetsANewTtlFromNow() {
        fleet.acquire(A);
        fleet.time.pass(Duration.ofSeconds(9));
        Extension.Extended extended = assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        assertEquals(Duration.ofMillis(9_898), extended.lease().validity());
        fleet.time.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    @Test
    void anyReplicaExtends() {
        fleet.acquire(A);
        assertInstanceOf(Extension.Extended.class, fleet.await(fleet.replica(2).extend(RESOURCE, A, TTL)));
    }

    @Test
    void anExpiredLeaseIsLostToNobody() {
        fleet.acquire(A);
        fleet.time.pass(TTL);
        assertEquals(new Extension.Lost(Holder.NOBODY), fleet.extend(A));
        assertEquals(0, fleet.holding());
    }

    @Test
    void aLeaseThatAnotherHoldsIsLostToAnother() {
        fleet.acquire(B);
        assertEquals(new Extension.Lost(Holder.ANOTHER), fleet.extend(A));
    }

    /** R7: the holder paused, another acquired and released, then the first extends. */
    @Test
    void aLostLeaseIsNotResurrected() {
        fleet.acquire(A);
        fleet.time.pass(TTL);
        fleet.acquire(B);
        fleet.release(B);
        assertEquals(new Extension.Lost(Holder.NOBODY), fleet.extend(A));
        assertEquals(0, fleet.holding());
    }

    /** R7: a minority that still holds the value is no lease. */
    @Test
    void nodesThatForgotDoNotCount() {
        fleet.acquire(A);
        fleet.node(1).forget();
        fleet.node(2).forget();
        fleet.node(3).forget();
        assertEquals(new Extension.Lost(Holder.NOBODY), fleet.extend(A));
        assertEquals(2, fleet.holding());
    }

    /** R7: an extension that fails leaves the lease as it was. */
    @Test
    void aFailedExtensionKeepsOthersOutUntilTheOldEnd() {
        fleet.acquire(A);
        fleet.suffer(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    /** An extension whose answer is lost must not cut the time that the holder still counts on. */
    @Test
    void anExtensionNeverShortensALease() {
        fleet.acquire(A);
        Extension extension = fleet.await(fleet.engine.extend(RESOURCE, A, Duration.ofSeconds(1)));
        assertInstanceOf(Extension.Extended.class, extension);
        fleet.time.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    /** R4: an answer that comes too late for the new TTL confirms nothing. */
    @Test
    void anExtensionConfirmedTooLateIsUnconfirmed() {
        fleet.acquire(A);
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(40)));
        assertInstanceOf(
                Extension.Unconfirmed.class, fleet.await(fleet.engine.extend(RESOURCE, A, Duration.ofMillis(40))));
    }

    /** R13: a stuck client that goes on extending cannot hold for ever. */
    @Test
    void extensionsOfOneLeaseAreCounted() {
        fleet.acquire(A);
        for (int left = EXTENSIONS_MAX - 1; left >= 0; left--) {
            Extension.Extended extended = assertInstanceOf(Extension.Extended.class, fleet.extend(A));
            assertEquals(left, extended.lease().extensionsLeft());
        }
        assertEquals(new Extension.Exhausted(EXTENSIONS_MAX), fleet.extend(A));
        fleet.time.pass(TTL);
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    @Test
    void aBadMinorityIsNoHindrance() {
        fleet.acquire(A);
        fleet.suffer(Fault.SILENT, 1);
        fleet.suffer(Fault.DOWN, 5);
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
    }
}
