// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** A release: deletes the records of the lease, or lets them last for the time in which nobody gets the locks. */
final class ReleaseOperation extends RecordOperation<Release> {
    private final LeaseToken token;
    private final Duration keep;

    ReleaseOperation(
            ResourceNames resources,
            LeaseToken token,
            Duration keep,
            OperationContext context,
            CompletableFuture<Release> answer,
            LockListener listener) {
        super(resources, context, answer, listener::release);
        this.token = token;
        this.keep = keep;
    }

    @Override
    List<Change> changes(Sightings seen) {
        return seen.all(lease -> isHeld(token, lease) && !lease.isExpired(seen.now()))
                ? seen.changes(lease -> true, this::end)
                : List.of();
    }

    /** A lease that ended before a repetition is not kept. */
    private Change end(Sighting lease) {
        return keep.isZero() || lease.isExpired(now())
                ? Change.delete(lease.stored())
                : Change.replace(
                        lease.stored(), lease.record().kept(lease.fence(), keep).text());
    }

    /** A repeated release finds the records that it kept, and changes nothing. */
    @Override
    void refused(Sightings seen) {
        Predicate<Sighting> released = lease -> isOf(token, lease) && !lease.isExpired(seen.now());
        if (seen.all(released)) {
            finish(new Release.Released());
        } else {
            Sightings.Loss loss = seen.loss(token, released);
            finish(new Release.NotHeld(loss.holder(), loss.resource()));
            cleanUpRest(token, seen);
        }
    }

    @Override
    void written(List<Sighting> written) {
        finish(new Release.Released());
    }

    @Override
    void failed(Effect effect) {
        Duration longest = context.settings().ttlMax();
        finish(new Release.Unconfirmed(noAnswer(effect), longest));
        cleanUp(lease -> isHeld(token, lease), this::end, longest);
    }
}
