// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.Waiter.Place;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The order in which the waiters of all queues arrived. A client that waits for longer than one request may last repeats its
 * acquire, and keeps its place.
 */
final class Places {
    /** For the next request of a client, also after a short back-off. */
    private static final Duration KEPT = Duration.ofSeconds(2);

    private final MonotonicClock clock;
    /** In the order of their ends. */
    private final Map<Client, Kept> kept = new LinkedHashMap<>();

    private long last;

    private record Client(ResourceNames resources, LeaseToken token) {}

    private record Kept(Place place, MonotonicTime until) {}

    Places(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Returns the place that is kept for a client, or else the last one. */
    Place take(ResourceNames resources, Optional<LeaseToken> token) {
        forgetOld();
        return token.map(own -> kept.remove(new Client(resources, own)))
                .map(Kept::place)
                .orElseGet(() -> new Place(++last, false));
    }

    /** Keeps the place of a refused waiter that chose its token; the first one, if several had the same token. */
    void keep(Waiter waiter) {
        forgetOld();
        waiter.terms().token().map(own -> new Client(waiter.resources(), own)).ifPresent(client -> {
            Kept other = kept.remove(client);
            Place own = new Place(waiter.place(), waiter.isOvertaken());
            Place first = other == null || own.number() < other.place().number() ? own : other.place();
            kept.put(client, new Kept(first, clock.now().plus(KEPT)));
        });
    }

    private void forgetOld() {
        Iterator<Kept> oldest = kept.values().iterator();
        while (oldest.hasNext() && oldest.next().until().isBefore(clock.now())) {
            oldest.remove();
        }
    }
}
