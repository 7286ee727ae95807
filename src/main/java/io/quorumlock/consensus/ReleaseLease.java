// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.Set;

/**
 * A release: removes the holder, or lets its place stay taken.
 *
 * @param keep for how long; zero to remove it
 */
record ReleaseLease(ResourceNames resources, LeaseToken holder, Duration keep, String write, ConsensusSettings settings)
        implements Operation<Release> {

    @Override
    public Set<LeaseToken> tokens() {
        return Set.of(holder);
    }

    @Override
    public Decision<Release> decide(Sightings seen) {
        if (seen.all(this::isHeld)) {
            return new Write<>(seen.ended(this::isOwn, keep, write));
        }
        if (seen.all(this::isOwn)) {
            return Conclusion.of(new Release.Released()); // It is repeated.
        }
        Sightings.Loss loss = seen.loss(holder, this::isOwn);
        Conclusion<Release> lost = Conclusion.of(new Release.NotHeld(loss.holder(), loss.resource()));
        return CleanUp.rest(resources, holder, seen, settings).map(lost::with).orElse(lost);
    }

    private boolean isHeld(SeenLease lease) {
        return lease.isHeldBy(holder, resources);
    }

    /** Returns whether it is a lease of the token, which may be released and kept. */
    private boolean isOwn(SeenLease lease) {
        return lease.record().token().equals(holder) && lease.record().names().equals(resources.mark());
    }

    @Override
    public Conclusion<Release> written(Sightings after, Duration elapsed) {
        return Conclusion.of(new Release.Released());
    }

    @Override
    public Conclusion<Release> failed(Effect effect) {
        Duration longest = settings.ttlMax();
        return Conclusion.<Release>of(new Release.Unconfirmed(StoreVotes.noAnswer(effect), longest))
                .with(new CleanUp(resources, tokens(), this::isHeld, keep, longest));
    }
}
