// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An extension: writes the record of the lease again, with a longer time. */
final class ExtendOperation extends RecordOperation<Extension> {
    private final LeaseToken token;
    private final ExtendTerms terms;
    private final String write;

    ExtendOperation(
            ResourceName resource,
            LeaseToken token,
            ExtendTerms terms,
            OperationContext context,
            CompletableFuture<Extension> answer,
            LockListener listener) {
        super(resource, context, answer, listener::extend);
        this.token = token;
        this.terms = terms;
        this.write = context.nextWrite();
    }

    @Override
    Optional<Change> change(Optional<Sighting> seen) {
        return unexpired(seen)
                .filter(lease -> lease.isHeldBy(token) && mayExtend(lease))
                .map(lease -> new Change.Replace(lease.stored(), extended(lease).text()));
    }

    private boolean mayExtend(Sighting lease) {
        return context.settings().extensionsLeft(lease.record().extensionsUsed()) > 0;
    }

    /** Never shortens the lease (R7). */
    private LockRecord extended(Sighting lease) {
        Duration remaining = lease.remaining(now());
        Duration longer = remaining.compareTo(terms.ttl()) > 0 ? remaining : terms.ttl();
        return lease.record().extended(write, lease.fence(), longer);
    }

    @Override
    void refused(Optional<Sighting> seen) {
        finish(unexpired(seen)
                .map(lease -> lease.isHeldBy(token)
                        ? new Extension.Exhausted(context.settings().extensionsMax())
                        : new Extension.Lost(Holder.ANOTHER, Optional.empty()))
                .orElseGet(() -> new Extension.Lost(Holder.NOBODY, Optional.empty())));
    }

    /** Measures the validity last (R4, S2). */
    @Override
    void written(Optional<Sighting> written) {
        Duration elapsed = elapsed();
        Duration validity = context.settings().drift().validity(terms.ttl(), elapsed);
        Optional<ValidityShortage> shortage = ValidityShortage.of(terms.minValidity(), validity);
        if (shortage.isPresent()) {
            // A caller that left may rely on the lease, because it does not learn of the release.
            if (finish(new Extension.TooShort(shortage.get()))) {
                cleanUp(seen -> seen.record().write().equals(write), terms.ttl());
            }
        } else if (validity.isNegative() || validity.isZero()) {
            finish(new Extension.Unconfirmed(lateAnswer()));
        } else {
            finish(new Extension.Extended(lease(written.orElseThrow(), terms.ttl(), validity, elapsed)));
        }
    }

    @Override
    void failed(Effect effect) {
        finish(new Extension.Unconfirmed(noAnswer(effect)));
    }
}
