// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The waiters of one queue, in order of arrival. */
final class Waiters {
    /** Few enough to leave the commands of other locks their turn. */
    private static final int READERS_AT_ONCE = 64;

    private final NavigableSet<Waiter> inOrder = new TreeSet<>(Comparator.comparingLong(Waiter::place));
    private final Places places;
    /** For other threads. */
    private volatile int size;

    Waiters(Places places) {
        this.places = places;
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

    /** Returns whether the first waiter keeps others out of locks, so that it must ask again in time. */
    boolean firstReserves() {
        return !inOrder.isEmpty() && inOrder.first().isOvertaken();
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

    void add(Waiter waiter, Waiter.Queue queue) {
        waiter.setQueue(queue);
        inOrder.add(waiter);
        size = inOrder.size();
    }

    /** Removes a waiter that goes on waiting in another queue. */
    void remove(Waiter waiter) {
        inOrder.remove(waiter);
        size = inOrder.size();
    }

    /** Removes a waiter whose wait ended. */
    void remove(Waiter waiter, Acquisition outcome) {
        remove(waiter);
        if (outcome.granted().isEmpty()) {
            places.keep(waiter);
        }
    }
}
