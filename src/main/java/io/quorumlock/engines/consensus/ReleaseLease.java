// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineSettings;
import java.time.Duration;
import java.util.Set;

/**
 * A release: removes the holder, or lets its place stay taken.
 *
 * @param keep for how long; zero to remove it
 */
record ReleaseLease(ResourceNames resources, LeaseToken token, Duration keep, String write, EngineSettings settings)
        implements Operation<Release> {

    @Override
    public Set<LeaseToken> tokens() {
        return Set.of(token);
    }

    @Override
    public Step<Release> decide(Snapshot seen) {
        if (seen.all(this::isHeld)) {
            return Step.write(seen.released(this::isHeld, keep, write));
        }
        if (seen.all(this::isHeldOrKept)) {
            return Step.end(seen, Conclusion.of(new Release.Released())); // It is repeated.
        }
        Snapshot.Loss loss = seen.loss(token, this::isHeldOrKept);
        return Step.end(
                seen,
                Conclusion.<Release>of(new Release.NotHeld(loss.holder(), loss.resource()))
                        .with(HolderRemoval.rest(seen, token, settings.ttlMax())));
    }

    private boolean isHeld(KnownLease lease) {
        return lease.isHeldBy(token, resources);
    }

    private boolean isHeldOrKept(KnownLease lease) {
        return lease.isOf(token, resources);
    }

    @Override
    public Conclusion<Release> written(Snapshot after, Duration elapsed) {
        return Conclusion.of(new Release.Released());
    }

    @Override
    public Conclusion<Release> failed(Effect effect) {
        Duration longest = settings.ttlMax();
        return Conclusion.<Release>of(new Release.Unconfirmed(StoreVotes.noAnswer(effect), longest))
                .with(new HolderRemoval(resources, tokens(), this::isHeld, keep, longest));
    }
}
