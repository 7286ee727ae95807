// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.LockKind.Type;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rule of who gets a lock beside its present holders (C), and why another client does not. */
sealed interface Admission {
    /** Each write of a record has all its holders. */
    int MOST_HOLDERS = 1_000;

    /** Returns the lock with the new holder; empty if it is refused. */
    default Optional<LockRecord> granted() {
        return Optional.empty();
    }

    /** Returns the outcome for the client; empty if it gets the lock. */
    default Optional<Acquisition> refusal() {
        return Optional.empty();
    }

    /** The client gets the lock. */
    record Granted(LockRecord lock) implements Admission {
        @Override
        public Optional<LockRecord> granted() {
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
     * @param place of the lock among those of the call
     * @param waits on which replica the client waits to hold the lock alone; empty if it does not
     */
    static Admission of(Sightings seen, int place, LeaseRecord newcomer, LockKind kind, Optional<String> waits) {
        LockRecord lock = seen.current(place);
        List<SeenLease> leases = seen.leases(place);
        Comparator<SeenLease> byEnd = Comparator.comparing(lease -> lease.remaining(seen.now()));
        Optional<SeenLease> own = ofToken(leases, newcomer.token());
        if (own.isPresent()) {
            return own.get().record().kept()
                    ? refused(own.get().taken(seen.now(), lock.kind()))
                    : new Refused(new Acquisition.TokenInUse());
        }
        if (!leases.isEmpty() && !lock.kind().equals(kind)) {
            boolean otherSlots = lock.kind().type() == Type.SLOTS && kind.type() == Type.SLOTS;
            SeenLease last = leases.stream().max(byEnd).orElseThrow();
            return otherSlots
                    ? new Refused(new Acquisition.OtherSlots(lock.kind().slots()))
                    : refused(last.taken(seen.now(), lock.kind()));
        }
        if (lock.isReservedForOthers(waits)) {
            return refused(seen.reserved(place));
        }
        LockRecord open = lock.ofKind(kind).withoutReservation();
        return place(open, newcomer)
                .<Admission>map(holder -> new Granted(open.with(holder)))
                .orElseGet(
                        () -> refused(leases.stream().min(byEnd).orElseThrow().taken(seen.now(), kind)));
    }

    private static Optional<SeenLease> ofToken(List<SeenLease> leases, LeaseToken token) {
        return leases.stream()
                .filter(lease -> lease.record().token().equals(token))
                .findFirst();
    }

    private static Refused refused(Taken taken) {
        return new Refused(new Held(List.of(taken), false, Duration.ZERO));
    }

    /** Returns the new holder of a lock of this kind; empty if the lock is full. */
    private static Optional<LeaseRecord> place(LockRecord lock, LeaseRecord newcomer) {
        int holders = lock.holders().size();
        return switch (lock.kind().type()) {
            case EXCLUSIVE -> holders == 0 ? Optional.of(newcomer) : Optional.empty();
            case SHARED -> holders < MOST_HOLDERS ? Optional.of(newcomer) : Optional.empty();
            case SLOTS -> firstFreeSlot(lock).map(newcomer::in);
        };
    }

    private static Optional<Integer> firstFreeSlot(LockRecord semaphore) {
        return IntStream.range(0, semaphore.kind().slots())
                .boxed()
                .filter(slot -> semaphore.holders().stream()
                        .noneMatch(holder -> holder.slot().orElse(-1) == slot))
                .findFirst();
    }

    /** Returns the shared lock with a reservation; empty if the lock needs none, or has that of another replica. */
    static Optional<LockRecord> reserve(LockRecord lock, Reservation reservation) {
        boolean needed = lock.kind().equals(LockKind.SHARED)
                && !lock.holders().isEmpty()
                && !lock.isReservedForOthers(Optional.of(reservation.replica()));
        return needed ? Optional.of(lock.with(reservation)) : Optional.empty();
    }
}
