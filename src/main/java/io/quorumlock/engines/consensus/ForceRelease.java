// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A forced release: removes the holders that were read before, and none of a later lease (R6).
 *
 * @param targets the leases to remove; at least one
 * @param readAt when they were read
 */
record ForceRelease(ResourceNames resources, ForceTerms terms, List<KnownLease> targets, MonotonicTime readAt)
        implements Operation<ForcedRelease> {

    /** Returns the forced release of the selected leases; empty if there is none. */
    static Optional<ForceRelease> of(ForceTerms terms, Snapshot read) {
        List<KnownLease> targets = read.leases(lease -> selects(terms, lease));
        return targets.isEmpty()
                ? Optional.empty()
                : Optional.of(new ForceRelease(read.resources(), terms, targets, read.now()));
    }

    private static boolean selects(ForceTerms terms, KnownLease lease) {
        return terms.select(lease.owner(), lease.record().fence());
    }

    @Override
    public Set<LeaseToken> tokens() {
        return targets.stream().map(KnownLease::token).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Step<ForcedRelease> decide(Snapshot seen) {
        Predicate<KnownLease> isTarget = isTarget();
        if (!seen.leases(isTarget).isEmpty()) {
            return Step.write(seen.without(isTarget));
        }
        boolean free = seen.leases(lease -> selects(terms, lease)).isEmpty();
        return Step.end(
                seen,
                Conclusion.of(
                        free
                                ? new ForcedRelease.Free()
                                : new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS)));
    }

    private Predicate<KnownLease> isTarget() {
        Set<KnownLease.Id> ids = targets.stream().map(KnownLease::id).collect(Collectors.toUnmodifiableSet());
        return lease -> ids.contains(lease.id());
    }

    @Override
    public Conclusion<ForcedRelease> written(Snapshot after, Duration elapsed) {
        return Conclusion.of(new ForcedRelease.Broken(owner()));
    }

    @Override
    public Conclusion<ForcedRelease> failed(Effect effect) {
        if (effect == Effect.NONE) {
            return Conclusion.of(new ForcedRelease.NoQuorum(StoreVotes.noAnswer(effect)));
        }
        return Conclusion.<ForcedRelease>of(
                        new ForcedRelease.Unconfirmed(StoreVotes.noAnswer(effect), owner(), remaining()))
                .with(HolderRemoval.delete(resources, tokens(), isTarget(), remaining()));
    }

    /** Returns the owner of all of them; empty if they have several owners. */
    private Optional<Owner> owner() {
        return targets.stream()
                .map(KnownLease::owner)
                .reduce((one, other) -> one.equals(other) ? one : Optional.empty())
                .orElseThrow();
    }

    private Duration remaining() {
        return targets.stream()
                .map(lease -> lease.remaining(readAt))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }
}
