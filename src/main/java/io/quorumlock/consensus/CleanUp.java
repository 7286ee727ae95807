// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A change in the background, normally a delete (R5).
 *
 * @param condition of the leases that end
 * @param keep how long their places stay taken; zero to delete them
 * @param longest after this time a failed change is not repeated
 */
record CleanUp(ResourceNames resources, Predicate<SeenLease> condition, Duration keep, Duration longest) {

    static CleanUp delete(ResourceNames resources, Predicate<SeenLease> condition, Duration longest) {
        return new CleanUp(resources, condition, Duration.ZERO, longest);
    }

    /** Returns the delete of what is left of a lease that lost one of its resources, and of nothing of a later lease. */
    static Optional<CleanUp> rest(
            ResourceNames resources, LeaseToken token, Sightings lost, ConsensusSettings settings) {
        List<SeenLease> rest = lost.leases(
                lease -> lease.isHeldBy(token) && lease.record().names().equals(resources.mark()));
        return Optional.of(rest)
                .filter(left -> !left.isEmpty())
                .map(left -> delete(
                        resources,
                        lease -> lease.isHeldBy(token) && left.stream().anyMatch(one -> one.isSameAs(lease)),
                        settings.ttlMax()));
    }
}
