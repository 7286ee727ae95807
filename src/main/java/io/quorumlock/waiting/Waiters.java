// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The waiters of one queue, in order. A client that waits for longer than one request may last repeats its acquire, and keeps
 * its place.
 */
final class Waiters {
    /** For the next request of a client, also after a short back-off. */
    private static final Duration KEPT = Duration.ofSeconds(2);

    /** Few enough to leave the commands of other locks their turn. */
    private static final int READERS_AT_ONCE = 64;

    private final MonotonicClock clock;
    private final NavigableSet<Waiter> inOrder = new TreeSet<>(Comparator.comparingLong(Waiter::place));
    private final Map<LeaseToken, Kept> kept = new HashMap<>();
    /** For other threads. */
    private volatile int size;

    private long last;

    private record Kept(long place, MonotonicTime until) {}

    Waiters(MonotonicClock clock) {
        this.clock = clock;
    }

    boolean isEmpty() {
        return inOrder.isEmpty();
    }

    int size() {
        return size;
    }

    List<Waiter> all() {
        return List.copyOf(inOrder);
    }

    boolean isFirst(Waiter waiter) {
        return !inOrder.isEmpty() && inOrder.first() == waiter;
    }

    /** Returns the first waiter that makes no attempt now. */
    Optional<Waiter> firstIdle() {
        return inOrder.stream().filter(waiter -> !waiter.isAttempting()).findFirst();
    }

    /** Returns the waiters that may be let in with this holder: the first readers, if it is one. None overtakes a writer. */
    List<Waiter> readersAfter(Waiter holder) {
        return idle(inOrder.stream().takeWhile(waiter -> holder.isReader() && waiter.isReader()), READERS_AT_ONCE);
    }

    /** Returns the first waiter with the token of the holder, which gets the same lease, unless it makes an attempt now. */
    List<Waiter> equalTo(LeaseToken holder) {
        return idle(inOrder.stream().filter(waiter -> waiter.hasToken(holder)).limit(1), 1);
    }

    private static List<Waiter> idle(Stream<Waiter> waiters, int most) {
        return waiters.filter(waiter -> !waiter.isAttempting()).limit(most).toList();
    }

    /** Adds a waiter at the place that is kept for its token, or else at the end. */
    void add(Waiter waiter, Waiter.Queue queue) {
        forgetOld();
        waiter.setQueue(queue);
        waiter.setPlace(
                waiter.terms().token().map(kept::remove).map(Kept::place).orElseGet(() -> ++last));
        inOrder.add(waiter);
        size = inOrder.size();
    }

    /** Removes a waiter that goes on waiting in another queue. */
    void remove(Waiter waiter) {
        inOrder.remove(waiter);
        size = inOrder.size();
    }

    /**
     * Removes a waiter whose wait ended. Keeps the place of a refused one that chose its token; the first one, if several had
     * the same token.
     */
    void remove(Waiter waiter, Acquisition outcome) {
        remove(waiter);
        forgetOld();
        if (outcome.granted().isEmpty()) {
            Kept place = new Kept(waiter.place(), clock.now().plus(KEPT));
            waiter.terms().token().ifPresent(token -> kept.merge(token, place, Waiters::earlier));
        }
    }

    private static Kept earlier(Kept one, Kept other) {
        return new Kept(Math.min(one.place(), other.place()), other.until());
    }

    private void forgetOld() {
        kept.values().removeIf(one -> one.until().isBefore(clock.now()));
    }
}
