package io.quorumlock.security;

import java.util.Optional;

/**
 * The limits of a key on this replica. Empty means unlimited.
 *
 * @param requestsPerSecond also the size of a burst
 * @param waiters concurrent waiting requests
 */
record Quota(Optional<Integer> requestsPerSecond, Optional<Integer> waiters) {
    static final Quota NONE = new Quota(Optional.empty(), Optional.empty());
    static final int MOST_REQUESTS = 1_000_000;
    static final int MOST_WAITERS = 1_000_000;
}
