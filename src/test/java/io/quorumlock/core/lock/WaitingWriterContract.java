// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.OWNER;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static io.quorumlock.testing.EngineFixture.token;
import static io.quorumlock.testing.EngineFixture.waitingWriter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition.Acquired;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The reservation of a shared lock for a writer that waits (promise C), on every engine. */
@Proves("C")
interface WaitingWriterContract {
    LockKind SHARED = LockKind.SHARED;
    LockKind THREE = LockKind.ofSlots(3);
    ResourceName OTHER = new ResourceName("orders/43");
    ResourceNames BOTH = new ResourceNames(List.of(RESOURCE, OTHER));
    /** How long a waiting writer keeps readers out after its last attempt. */
    Duration RESERVATION = Duration.ofSeconds(2);

    /** Returns the engine of this test. */
    EngineFixture used();

    @Test
    default void waitingWriterKeepsNewReadersOut() {
        acquire(SHARED, A);
        assertInstanceOf(Held.class, attemptOfWaiting(1));
        assertInstanceOf(Held.class, acquire(SHARED, B));
        Extension extension = used().await(used().engine().extend(RESOURCE, A, TTL));
        assertInstanceOf(Extension.Extended.class, extension);
        release(A);
        assertInstanceOf(Held.class, acquire(SHARED, B));
        assertInstanceOf(Acquired.class, attemptOfWaiting(1));
        release(token(1));
        assertInstanceOf(Acquired.class, acquire(SHARED, B));
    }

    /** The reader that holds the lock does not keep other readers out. */
    @Test
    default void refusedReaderLearnsHowLongTheWaitingWriterKeepsItOut() {
        used().await(used().engine().acquire(ResourceNames.of(RESOURCE), terms(SHARED, A, OWNER)));
        attemptOfWaiting(1);
        Held.Taken taken =
                assertInstanceOf(Held.class, acquire(SHARED, B)).taken().get(0);
        assertEquals(Optional.empty(), taken.owner());
        assertTrue(taken.remaining().compareTo(RESERVATION) <= 0, taken::toString);
    }

    /** The next attempt of the writer that waits may have another token. */
    @Test
    default void onlyWriterThatWaitsGetsLockAfterReaders() {
        acquire(SHARED, A);
        assertInstanceOf(Held.class, attemptOfWaiting(1));
        assertInstanceOf(Held.class, attemptOfOtherReplica());
        release(A);
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
        assertInstanceOf(Held.class, acquire(THREE, token(3)));
        assertInstanceOf(Held.class, attemptOfOtherReplica());
        assertInstanceOf(Acquired.class, attemptOfWaiting(4));
    }

    @Test
    default void writerThatDoesNotAskAgainKeepsNobodyOutForLong() {
        acquire(SHARED, A);
        attemptOfWaiting(1);
        used().pass(RESERVATION);
        assertInstanceOf(Acquired.class, acquire(SHARED, B));
    }

    @Test
    default void nextWriterGetsReservationOfWriterThatLeft() {
        acquire(SHARED, A);
        attemptOfWaiting(1);
        used().pass(RESERVATION);
        attemptOfOtherReplica();
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
        release(A);
        assertInstanceOf(Held.class, attemptOfWaiting(1));
        assertInstanceOf(Acquired.class, attemptOfOtherReplica());
    }

    @Test
    default void writerWithoutWaitKeepsNobodyOut() {
        acquire(SHARED, A);
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(1)));
        assertInstanceOf(Acquired.class, acquire(SHARED, B));
    }

    @Test
    default void waitingWriterForSeveralLocksKeepsNoReaderOut() {
        used().await(used().engine().acquire(OTHER, terms(B)));
        acquire(SHARED, A);
        assertInstanceOf(Held.class, used().await(used().engine().acquire(BOTH, waitingWriter(token(1)))));
        assertInstanceOf(Acquired.class, acquire(SHARED, token(3)));
    }

    /** A request for several locks, of which another one is held, neither takes the lock nor lets readers in. */
    @Test
    default void requestForSeveralLocksKeepsReservation() {
        used().await(used().engine().acquire(OTHER, terms(B)));
        acquire(SHARED, A);
        attemptOfWaiting(1);
        release(A);
        assertInstanceOf(Held.class, used().await(used().engine().acquire(BOTH, terms(token(2)))));
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
    }

    private Acquisition attemptOfWaiting(int writer) {
        return used().await(used().engine().acquire(ResourceNames.of(RESOURCE), waitingWriter(token(writer))));
    }

    private Acquisition attemptOfOtherReplica() {
        return used().await(used().otherReplica().acquire(ResourceNames.of(RESOURCE), waitingWriter(token(2))));
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        return used().await(used().otherReplica().acquire(ResourceNames.of(RESOURCE), terms(kind, token)));
    }

    private void release(LeaseToken token) {
        assertInstanceOf(Release.Released.class, used().await(used().engine().release(RESOURCE, token)));
    }
}
