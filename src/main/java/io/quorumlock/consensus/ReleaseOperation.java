// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A release: deletes the record of the lease. */
final class ReleaseOperation extends RecordOperation<Release> {
    private final LeaseToken token;

    ReleaseOperation(
            ResourceName resource,
            LeaseToken token,
            OperationContext context,
            CompletableFuture<Release> answer,
            LockListener listener) {
        super(resource, context, answer, listener::release);
        this.token = token;
    }

    @Override
    Optional<Change> change(Optional<Sighting> seen) {
        return unexpired(seen).filter(lease -> lease.isHeldBy(token)).map(lease -> new Change.Delete(lease.stored()));
    }

    @Override
    void refused(Optional<Sighting> seen) {
        finish(new Release.NotHeld(unexpired(seen).isPresent() ? Holder.ANOTHER : Holder.NOBODY, Optional.empty()));
    }

    @Override
    void written(Optional<Sighting> written) {
        finish(new Release.Released());
    }

    @Override
    void failed(Effect effect) {
        Duration longest = context.settings().ttlMax();
        finish(new Release.Unconfirmed(noAnswer(effect), longest));
        cleanUp(seen -> seen.isHeldBy(token), longest);
    }
}
