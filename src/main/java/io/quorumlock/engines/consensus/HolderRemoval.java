// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The removal of holders in the background (R5).
 *
 * @param tokens of the leases that may end
 * @param condition of the leases that end
 * @param keep how long their places stay taken; zero to remove them
 * @param longest after this time a failed change is not repeated
 */
record HolderRemoval(
        ResourceNames resources,
        Set<LeaseToken> tokens,
        Predicate<KnownLease> condition,
        Duration keep,
        Duration longest) {

    static HolderRemoval delete(
            ResourceNames resources, Set<LeaseToken> tokens, Predicate<KnownLease> condition, Duration longest) {
        return new HolderRemoval(resources, tokens, condition, Duration.ZERO, longest);
    }

    /** Returns the delete of what is left of a lease that lost one of its resources, and of nothing of a later lease. */
    static Optional<HolderRemoval> rest(Snapshot lost, LeaseToken token, Duration ttlMax) {
        ResourceNames resources = lost.resources();
        Set<KnownLease.Id> rest = lost.leases(lease -> lease.isHeldBy(token, resources)).stream()
                .map(KnownLease::id)
                .collect(Collectors.toUnmodifiableSet());
        return rest.isEmpty()
                ? Optional.empty()
                : Optional.of(delete(
                        resources, Set.of(token), lease -> lease.isHeldBy(token) && rest.contains(lease.id()), ttlMax));
    }
}
