// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.lease;
import static io.quorumlock.testing.EngineFixture.terms;
import static io.quorumlock.testing.EngineFixture.token;
import static io.quorumlock.testing.EngineFixture.waitingWriter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition.Acquired;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shared locks and semaphores (promise C), on every engine. */
@Proves({"S1", "C", "K"})
interface KindsContract extends WaitingWriterContract {
    @Test
    default void readersHoldTogetherAndKeepWriterOut() {
        assertInstanceOf(Acquired.class, acquire(SHARED, A));
        assertInstanceOf(Acquired.class, acquire(SHARED, B));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Held.class, acquire(THREE, token(3)));
        assertEquals(2, state().holderCount());
        assertEquals(SHARED, state().lockKind());
        released(A);
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        released(B);
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Held.class, acquire(SHARED, A));
    }

    @Test
    default void tokenWithoutLeaseIsToldWhetherAnotherHoldsThePlainLock() {
        acquire(SHARED, A);
        assertEquals(new Release.NotHeld(Holder.NOBODY, Optional.empty()), release(B));
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), extend(B));
        released(A);
        acquire(LockKind.EXCLUSIVE, A);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.empty()), release(B));
        assertEquals(new Extension.Lost(Holder.ANOTHER, Optional.empty()), extend(B));
    }

    /** A thousand readers and one more. */
    @Test
    default void numberOfReadersIsBounded() {
        for (int first = 0; first < 1_000; first += 50) {
            List<CompletableFuture<Acquisition>> calls = IntStream.range(first, first + 50)
                    .mapToObj(i -> used().engine().acquire(ResourceNames.of(RESOURCE), terms(SHARED, token(i))))
                    .toList();
            calls.forEach(call -> assertInstanceOf(Acquired.class, used().await(call)));
        }
        assertInstanceOf(Held.class, acquire(SHARED, A));
        released(token(7));
        assertInstanceOf(Acquired.class, acquire(SHARED, A));
    }

    @Test
    default void eachReaderEndsAtItsOwnTime() {
        acquire(SHARED, A);
        used().pass(TTL.dividedBy(2));
        acquire(SHARED, B);
        used().pass(TTL.dividedBy(2));
        assertEquals(1, state().holderCount());
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), extend(A));
        assertInstanceOf(Extension.Extended.class, extend(B));
        used().pass(TTL.dividedBy(2));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, A));
        used().pass(TTL.dividedBy(2));
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, A));
    }

    /** A change of one reader does not restart the time of another, on any replica. */
    @Test
    default void vanishedReaderEndsWhileOthersComeAndGo() {
        acquire(SHARED, A);
        for (int i = 0; i < 10; i++) {
            used().pass(TTL.dividedBy(10));
            acquire(SHARED, token(i));
            released(token(i));
        }
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, B));
    }

    @Test
    default void readerWhoseOwnPlaceIsKeptLearnsOfThisPlace() {
        acquire(SHARED, B);
        used().pass(TTL.dividedBy(2));
        acquire(SHARED, A);
        used().await(used().engine().release(ResourceNames.of(RESOURCE), A, TTL));
        Held.Taken taken =
                assertInstanceOf(Held.class, acquire(SHARED, A)).taken().get(0);
        assertTrue(taken.kept());
        assertTrue(taken.remaining().compareTo(TTL.dividedBy(2)) > 0, taken::toString);
    }

    /** All at once, through one replica. */
    @Test
    default void completesWriterThatAsksWhileTheLastReaderLeaves() {
        acquire(SHARED, A);
        ResourceNames name = ResourceNames.of(RESOURCE);
        used().engine().extend(name, A, TTL);
        CompletableFuture<Acquisition> writer = used().engine().acquire(name, waitingWriter(token(1)));
        used().engine().release(name, A, Duration.ZERO);
        Acquisition outcome = used().await(writer);
        assertTrue(outcome instanceof Held || outcome.granted().isPresent(), outcome::toString);
    }

    /** S3 */
    @Test
    default void writerHasLargerFenceThanEveryReaderBefore() {
        long largest = IntStream.range(0, 5)
                .mapToLong(i -> lease(acquire(SHARED, token(i))).fence().number())
                .max()
                .orElseThrow();
        used().pass(TTL);
        assertTrue(lease(acquire(LockKind.EXCLUSIVE, A)).fence().number() > largest);
    }

    @Test
    default void otherHoldersDoNotChangeFence() {
        for (LockKind kind : List.of(SHARED, THREE)) {
            ResourceNames name = ResourceNames.of(new ResourceName("kind/" + kind.slots()));
            Lease first = lease(used().await(used().engine().acquire(name, terms(kind, A))));
            lease(used().await(used().otherReplica().acquire(name, terms(kind, B))));
            Extension extension = used().await(used().engine().extend(name, A, TTL));
            assertEquals(
                    first.fence(),
                    assertInstanceOf(Extension.Extended.class, extension)
                            .lease()
                            .fence());
        }
    }

    /** The votes of an extension may name several slots, so that only an acquire knows the slot. */
    @Test
    default void extensionHasNoSlot() {
        acquire(THREE, A);
        Extension.Extended extended = assertInstanceOf(Extension.Extended.class, extend(A));
        assertEquals(OptionalInt.empty(), extended.lease().slot());
    }

    @Test
    default void repeatedAcquireOfOneKindGetsSameLease() {
        for (LockKind kind : List.of(SHARED, THREE)) {
            ResourceNames name = ResourceNames.of(new ResourceName("kind/" + kind.slots()));
            Lease first = lease(used().await(used().engine().acquire(name, terms(kind, A))));
            Acquisition.Replayed again = assertInstanceOf(
                    Acquisition.Replayed.class,
                    used().await(used().otherReplica().acquire(name, terms(kind, A))));
            assertEquals(first.fence(), again.lease().fence());
            assertEquals(first.slot(), again.lease().slot());
        }
    }

    @Test
    default void tokenHoldsLockOfOneKind() {
        acquire(SHARED, A);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(LockKind.EXCLUSIVE, A));
        released(A);
        acquire(LockKind.EXCLUSIVE, A);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(SHARED, A));
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(THREE, A));
    }

    @Test
    default void semaphoreHasOneHolderForEachSlot() {
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            slots.add(lease(acquire(THREE, token(i))).slot().orElseThrow());
        }
        assertEquals(Set.of(0, 1, 2), slots);
        assertInstanceOf(Held.class, acquire(THREE, A));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, A));
        assertInstanceOf(Held.class, acquire(SHARED, A));
        assertEquals(3, state().holderCount());
        assertEquals(THREE, state().lockKind());
        released(token(1));
        assertInstanceOf(Release.NotHeld.class, release(token(1)));
        assertInstanceOf(Release.NotHeld.class, release(B));
        assertInstanceOf(Acquired.class, acquire(THREE, A));
        assertInstanceOf(Held.class, acquire(THREE, B));
    }

    @Test
    default void semaphoreOfOneLockHasOneNumberOfSlots() {
        acquire(THREE, A);
        assertEquals(new Acquisition.OtherSlots(3), acquire(LockKind.ofSlots(4), B));
        released(A);
        assertInstanceOf(Acquired.class, acquire(LockKind.ofSlots(4), B));
    }

    /** All at once, through two replicas. */
    @Test
    default void concurrentClientsGetAllSlots() {
        LockKind many = LockKind.ofSlots(LockKind.MOST_SLOTS);
        List<CompletableFuture<Acquisition>> calls = new ArrayList<>();
        for (int i = 0; i < many.slots(); i++) {
            LockEngine replica = i % 2 == 0 ? used().engine() : used().otherReplica();
            calls.add(replica.acquire(ResourceNames.of(RESOURCE), terms(many, token(i))));
        }
        Set<Integer> slots = new HashSet<>();
        calls.forEach(call -> used().await(call)
                .granted()
                .ifPresent(lease -> slots.add(lease.slot().orElseThrow())));
        for (int i = 0; i < many.slots(); i++) {
            lease(acquire(many, token(i))).slot().ifPresent(slots::add);
        }
        assertEquals(many.slots(), slots.size());
        assertInstanceOf(Held.class, acquire(many, A));
    }

    @Test
    default void keptPlaceOfReaderKeepsWriterOut() {
        acquire(SHARED, A);
        acquire(SHARED, B);
        used().await(used().engine().release(ResourceNames.of(RESOURCE), A, TTL));
        assertInstanceOf(Acquired.class, acquire(SHARED, token(3)));
        assertFalse(state().first().kept());
        released(B);
        released(token(3));
        assertTrue(state().first().kept());
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(4)));
        used().pass(TTL);
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, token(4)));
    }

    @Test
    default void keptSlotStaysTaken() {
        LockKind one = LockKind.ofSlots(1);
        acquire(one, A);
        used().await(used().engine().release(ResourceNames.of(RESOURCE), A, Duration.ofSeconds(1)));
        assertInstanceOf(Held.class, acquire(one, B));
        used().pass(Duration.ofSeconds(1));
        assertInstanceOf(Acquired.class, acquire(one, B));
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        return used().await(used().otherReplica().acquire(ResourceNames.of(RESOURCE), terms(kind, token)));
    }

    private Extension extend(LeaseToken token) {
        return used().await(used().engine().extend(RESOURCE, token, TTL));
    }

    private Release release(LeaseToken token) {
        return used().await(used().engine().release(RESOURCE, token));
    }

    private void released(LeaseToken token) {
        assertInstanceOf(Release.Released.class, release(token));
    }

    private Inspection inspect() {
        return used().await(used().engine().inspect(RESOURCE));
    }

    private Inspection.Held state() {
        return assertInstanceOf(Inspection.Held.class, inspect());
    }
}
