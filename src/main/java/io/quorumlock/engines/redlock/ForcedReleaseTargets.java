// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The values that a forced release deletes. */
record ForcedReleaseTargets(ResourceName resource, List<HolderVotes> holders) {

    /** Selects among the holders that an inspection shows. */
    static ForcedReleaseTargets of(ResourceName resource, ForceTerms terms, VoteCollector collector) {
        return new ForcedReleaseTargets(
                resource,
                HolderVotes.possible(collector).stream()
                        .filter(HolderVotes::isOurs)
                        .filter(target -> terms.select(target.owner(), target.fence()))
                        .toList());
    }

    boolean isEmpty() {
        return holders.isEmpty();
    }

    /** Returns the targets that still exist, in their current state. */
    ForcedReleaseTargets remainingIn(VoteCollector collector) {
        return new ForcedReleaseTargets(
                resource,
                HolderVotes.all(collector).stream()
                        .filter(found -> find(found.holder()).isPresent())
                        .toList());
    }

    /**
     * Returns a condition for each target on a master that replied. Each master counts extensions separately, so its own count
     * is required: with that of another master, a repeated delete could match a lease extended later (S1). Where the master has
     * none of a target, any of {@link #conditions} is enough.
     */
    List<DeleteCondition> conditionsFor(MasterReply seen) {
        List<Holding> found = seen instanceof Held held ? held.all() : List.of();
        return holders.stream()
                .flatMap(target -> found.stream()
                        .filter(holding -> holding.holder().equals(target.holder()))
                        .findFirst()
                        .map(this::conditions)
                        .orElseGet(() -> conditions(target).limit(1)))
                .toList();
    }

    /** Returns the conditions for masters that did not return one of the targets: the same leases, not extended since. */
    List<DeleteCondition> conditions() {
        return holders.stream().flatMap(this::conditions).distinct().toList();
    }

    private Stream<DeleteCondition> conditions(HolderVotes target) {
        return target.attempts().stream()
                .flatMap(attempt -> DeleteCondition.ofBroken(
                        ResourceNames.of(resource), new LeaseToken(target.holder()), attempt, target.extensions())
                        .stream());
    }

    /** Returns the owner of all of them; empty if they have several owners. */
    Optional<Owner> owner() {
        return holders.stream()
                .map(HolderVotes::owner)
                .reduce((one, other) -> one.equals(other) ? one : Optional.empty())
                .orElseThrow();
    }

    Duration remaining() {
        return holders.stream()
                .map(HolderVotes::longest)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private Optional<HolderVotes> find(String holder) {
        return holders.stream().filter(target -> target.holder().equals(holder)).findFirst();
    }

    private Stream<DeleteCondition> conditions(Holding holding) {
        return holding.attempt().stream()
                .map(attempt -> DeleteCondition.ofValue(
                        ResourceNames.of(resource),
                        new LeaseToken(holding.holder()),
                        attempt,
                        holding.extensionsUsed(),
                        DeleteCondition.Reason.BROKEN));
    }
}
