// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A change in the background, normally a delete (R5).
 *
 * @param tokens of the leases that may end
 * @param condition of the leases that end
 * @param keep how long their places stay taken; zero to delete them
 * @param longest after this time a failed change is not repeated
 */
record CleanUp(
        ResourceNames resources,
        Set<LeaseToken> tokens,
        Predicate<SeenLease> condition,
        Duration keep,
        Duration longest) {

    static CleanUp delete(
            ResourceNames resources, Set<LeaseToken> tokens, Predicate<SeenLease> condition, Duration longest) {
        return new CleanUp(resources, tokens, condition, Duration.ZERO, longest);
    }

    /** Returns the delete of what is left of a lease that lost one of its resources, and of nothing of a later lease. */
    static Optional<CleanUp> rest(
            ResourceNames resources, LeaseToken token, Sightings lost, ConsensusSettings settings) {
        Set<SeenLease.Id> rest = lost.leases(lease -> lease.isHeldBy(token, resources)).stream()
                .map(SeenLease::id)
                .collect(Collectors.toUnmodifiableSet());
        return rest.isEmpty()
                ? Optional.empty()
                : Optional.of(delete(
                        resources,
                        Set.of(token),
                        lease -> lease.isHeldBy(token) && rest.contains(lease.id()),
                        settings.ttlMax()));
    }
}
