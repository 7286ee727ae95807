// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.LockRecord.NextWriter;
import io.quorumlock.lock.LockKind;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rule of who gets a lock beside its present holders (C). All locks are without leases that are over. */
final class Admission {
    /** Each write of a record has all its holders. */
    static final int MOST_HOLDERS = 1_000;

    /** The time within which the clients that wait on a replica to hold a shared lock alone ask again. */
    private static final Duration LONGEST_RESERVATION = Duration.ofSeconds(2);

    private Admission() {}

    /**
     * Returns the lock with one more holder; empty if others keep it out, or if it has a lease of this token.
     *
     * @param waits on which replica the client waits to hold the lock alone; empty if it does not
     */
    static Optional<LockRecord> admit(LockRecord lock, LeaseRecord newcomer, LockKind kind, Optional<String> waits) {
        LockRecord open = lock.holders().isEmpty() ? lock.ofKind(kind) : lock;
        if (isReservedForOthers(lock, waits)
                || lock.holder(newcomer.token()).isPresent()
                || !open.kind().equals(kind)) {
            return Optional.empty();
        }
        Optional<LeaseRecord> place =
                switch (kind.type()) {
                    case EXCLUSIVE -> Optional.of(newcomer)
                            .filter(one -> lock.holders().isEmpty());
                    case SHARED -> Optional.of(newcomer)
                            .filter(one -> lock.holders().size() < MOST_HOLDERS);
                    case SLOTS -> firstFreeSlot(open).map(newcomer::in);
                };
        return place.map(holder -> open.with(holder).withNext(Optional.empty()));
    }

    private static Optional<Integer> firstFreeSlot(LockRecord semaphore) {
        return IntStream.range(0, semaphore.kind().slots())
                .boxed()
                .filter(slot -> semaphore.holders().stream()
                        .noneMatch(holder -> holder.slot().orElse(-1) == slot))
                .findFirst();
    }

    private static boolean isReservedForOthers(LockRecord lock, Optional<String> waits) {
        return lock.next()
                .filter(writer -> !waits.equals(Optional.of(writer.replica())))
                .isPresent();
    }

    /** Returns the shared lock that nobody new gets while a client waits for it on this replica; empty if others may. */
    static Optional<LockRecord> reserve(LockRecord lock, String replica, String write, Duration patience) {
        Duration lasts = patience.compareTo(LONGEST_RESERVATION) < 0 ? patience : LONGEST_RESERVATION;
        return Optional.of(lock)
                .filter(shared -> shared.kind().equals(LockKind.SHARED))
                .filter(shared -> !shared.holders().isEmpty())
                .filter(shared -> !isReservedForOthers(shared, Optional.of(replica)))
                .map(shared -> shared.withNext(Optional.of(new NextWriter(replica, write, lasts))));
    }
}
