// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A forced release: removes the holders that it reads first, and none of a later lease (R6). */
final class ForceRelease implements Operation<ForcedRelease> {
    private final ResourceNames resources;
    private final ForceTerms terms;
    private final Map<SeenLease.Id, SeenLease> targets = new LinkedHashMap<>();

    ForceRelease(ResourceName resource, ForceTerms terms) {
        this.resources = ResourceNames.of(resource);
        this.terms = terms;
    }

    @Override
    public ResourceNames resources() {
        return resources;
    }

    @Override
    public Optional<LeaseToken> token() {
        return Optional.empty();
    }

    @Override
    public Decision<ForcedRelease> decide(Sightings seen) {
        List<SeenLease> found = seen.leases(this::isSelected);
        if (targets.isEmpty()) {
            found.forEach(lease -> targets.put(lease.id(), lease));
        }
        if (found.stream().anyMatch(this::isTarget)) {
            return new Write<>(seen.ended(lease -> isSelected(lease) && isTarget(lease), Duration.ZERO, ""));
        }
        return Conclusion.of(
                found.isEmpty()
                        ? new ForcedRelease.Free()
                        : new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS));
    }

    private boolean isSelected(SeenLease lease) {
        return terms.select(lease.record().owner(), Optional.of(lease.fence()));
    }

    private boolean isTarget(SeenLease lease) {
        return targets.containsKey(lease.id());
    }

    /** Returns the target that is named in answers. */
    private SeenLease named() {
        return targets.values().iterator().next();
    }

    @Override
    public Conclusion<ForcedRelease> written(Sightings after, Duration elapsed) {
        return Conclusion.of(new ForcedRelease.Broken(named().record().owner()));
    }

    @Override
    public Conclusion<ForcedRelease> failed(Effect effect) {
        if (effect == Effect.NONE) {
            return Conclusion.of(new ForcedRelease.NoQuorum(StoreVotes.noAnswer(effect)));
        }
        LeaseRecord broken = named().record();
        return Conclusion.<ForcedRelease>of(
                        new ForcedRelease.Unconfirmed(StoreVotes.noAnswer(effect), broken.owner(), broken.lasts()))
                .with(CleanUp.delete(resources, token(), this::isTarget, broken.lasts()));
    }
}
