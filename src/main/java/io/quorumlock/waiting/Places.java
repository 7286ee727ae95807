// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The order of the waiters of one queue. A client that waits for longer than one request may last repeats its acquire, and
 * keeps its place.
 */
final class Places {
    /** For the next request of a client, also after a short back-off. */
    private static final Duration KEPT = Duration.ofSeconds(2);

    private final MonotonicClock clock;
    private final Map<LeaseToken, Kept> kept = new HashMap<>();
    private long last;

    private record Kept(long place, MonotonicTime until) {}

    Places(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Gives a new waiter the place that is kept for its token, or else the last one. */
    void assign(Waiter waiter) {
        forgetOld();
        waiter.setPlace(
                waiter.terms().token().map(kept::remove).map(Kept::place).orElseGet(() -> ++last));
    }

    /** Keeps the place of a refused waiter that chose its token; the first one, if several had the same token. */
    void left(Waiter waiter, Acquisition outcome) {
        forgetOld();
        if (outcome.granted().isEmpty()) {
            Kept place = new Kept(waiter.place(), clock.now().plus(KEPT));
            waiter.terms().token().ifPresent(token -> kept.merge(token, place, Places::first));
        }
    }

    private static Kept first(Kept one, Kept other) {
        return new Kept(Math.min(one.place(), other.place()), other.until());
    }

    private void forgetOld() {
        kept.values().removeIf(one -> one.until().isBefore(clock.now()));
    }
}
