package io.quorumlock.security;

import java.util.Optional;

/**
 * Bounds what a key may use of this replica, where the file says so.
 *
 * @param requestsPerSecond as many may also come at once
 * @param waiters at the same time
 */
record Quota(Optional<Integer> requestsPerSecond, Optional<Integer> waiters) {
    static final Quota NONE = new Quota(Optional.empty(), Optional.empty());
    static final int MOST_REQUESTS = 1_000_000;
    static final int MOST_WAITERS = 1_000_000;
}
