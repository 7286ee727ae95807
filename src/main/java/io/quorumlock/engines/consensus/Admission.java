// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Acquisition.Held.Taken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.LockKind.Type;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.KnownLock.KnownReservation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rule of who gets a lock beside its present holders (C), and why another client does not. */
sealed interface Admission {
    /** Each write of a record has all its holders, so that they write the square of their number to the store. */
    int MOST_HOLDERS = 1_000;

    /** Returns the lock with the new holder; empty if it is refused. */
    default Optional<KnownLock> granted() {
        return Optional.empty();
    }

    /** Returns the outcome for the client; empty if it gets the lock. */
    default Optional<Acquisition> refusal() {
        return Optional.empty();
    }

    /** The client gets the lock. */
    record Granted(KnownLock lock) implements Admission {
        @Override
        public Optional<KnownLock> granted() {
            return Optional.of(lock);
        }
    }

    /** The client does not get the lock. */
    record Refused(Acquisition why) implements Admission {
        @Override
        public Optional<Acquisition> refusal() {
            return Optional.of(why);
        }
    }

    /**
     * Decides on one lock. The token of the new holder has no lease that the call repeats.
     *
     * @param waits on which replica the client waits to hold the lock alone; empty if it does not
     */
    static Admission of(KnownLock lock, KnownLease newcomer, LockKind kind, Optional<String> waits, MonotonicTime now) {
        Comparator<KnownLease> byEnd = Comparator.comparing(lease -> lease.remaining(now));
        Optional<KnownLease> own = lock.lease(newcomer.token());
        if (own.isPresent()) {
            return own.get().record().kept()
                    ? refused(own.get().taken(now, lock.kind()))
                    : new Refused(new Acquisition.TokenInUse());
        }
        if (!lock.leases().isEmpty() && !lock.kind().equals(kind)) {
            boolean otherSlots = lock.kind().type() == Type.SLOTS && kind.type() == Type.SLOTS;
            KnownLease last = lock.leases().stream().max(byEnd).orElseThrow();
            return otherSlots
                    ? new Refused(new Acquisition.OtherSlots(lock.kind().slots()))
                    : refused(last.taken(now, lock.kind()));
        }
        if (lock.isReservedForOthers(waits)) {
            return refused(lock.reserved(now));
        }
        KnownLock open = lock.open(kind);
        Optional<KnownLease> place = place(open, newcomer);
        return place.isPresent()
                ? new Granted(open.with(place.get()))
                : refused(lock.leases().stream().min(byEnd).orElseThrow().taken(now, kind));
    }

    private static Refused refused(Taken taken) {
        return new Refused(new Held(List.of(taken), false, Duration.ZERO));
    }

    /** Returns the new holder of a lock of this kind; empty if the lock is full. */
    private static Optional<KnownLease> place(KnownLock lock, KnownLease newcomer) {
        int holders = lock.leases().size();
        return switch (lock.kind().type()) {
            case EXCLUSIVE -> holders == 0 ? Optional.of(newcomer) : Optional.empty();
            case SHARED -> holders < MOST_HOLDERS ? Optional.of(newcomer) : Optional.empty();
            case SLOTS -> firstFreeSlot(lock)
                    .map(slot ->
                            new KnownLease(lock.resource(), newcomer.record().in(slot), newcomer.first()));
        };
    }

    private static Optional<Integer> firstFreeSlot(KnownLock semaphore) {
        return IntStream.range(0, semaphore.kind().slots())
                .boxed()
                .filter(slot -> semaphore.leases().stream()
                        .noneMatch(lease -> lease.slot().orElse(-1) == slot))
                .findFirst();
    }

    /**
     * Returns a shared lock, or a free one of several locks, with a reservation; empty if the lock needs none, or has that of
     * other clients, or one of these clients that lasts beyond their next attempt.
     */
    static Optional<KnownLock> reserve(KnownLock lock, KnownReservation reservation, MonotonicTime now) {
        boolean needed = (lock.leases().isEmpty() || lock.kind().equals(LockKind.SHARED))
                && !lock.isReservedForOthers(Optional.of(reservation.record().replica()))
                && lock.reservation()
                        .filter(last -> reservation.isLongCoveredBy(last, now))
                        .isEmpty();
        return needed ? Optional.of(lock.with(reservation)) : Optional.empty();
    }
}
