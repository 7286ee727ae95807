// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.LeaseToken;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The waiters of a queue in order of arrival, with an index by the tokens that their clients chose. */
final class WaitList {
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final Map<LeaseToken, Waiter> byToken = new HashMap<>();

    void add(Waiter waiter) {
        waiters.add(waiter);
        waiter.terms().token().ifPresent(token -> byToken.put(token, waiter));
    }

    void remove(Waiter waiter) {
        waiters.remove(waiter);
        waiter.terms().token().ifPresent(token -> byToken.remove(token, waiter));
    }

    Waiter head() {
        return waiters.iterator().next();
    }

    /** Returns the latest waiter with this token. */
    Optional<Waiter> find(LeaseToken token) {
        return Optional.ofNullable(byToken.get(token));
    }

    boolean contains(Waiter waiter) {
        return waiters.contains(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    List<Waiter> copy() {
        return List.copyOf(waiters);
    }
}
