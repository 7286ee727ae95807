// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An extension: writes the records of the lease again, with a longer time. */
final class ExtendOperation extends RecordOperation<Extension> {
    private final LeaseToken token;
    private final ExtendTerms terms;
    private final String write;

    ExtendOperation(
            ResourceNames resources,
            LeaseToken token,
            ExtendTerms terms,
            OperationContext context,
            CompletableFuture<Extension> answer,
            LockListener listener) {
        super(resources, context, answer, listener::extend);
        this.token = token;
        this.terms = terms;
        this.write = context.nextWrite();
    }

    @Override
    List<Change> changes(Sightings seen) {
        return seen.all(lease -> isStillHeld(lease, seen) && mayExtend(lease)) ? seen.write(extended(seen)) : List.of();
    }

    private boolean isStillHeld(Sighting lease, Sightings seen) {
        return isHeld(token, lease) && !lease.isExpired(seen.now());
    }

    private boolean mayExtend(Sighting lease) {
        return context.settings()
                        .extensionsLeft(lease.record().extensionsUsed())
                        .orElse(1)
                > 0;
    }

    /** Never shortens the lease (R7). */
    private String extended(Sightings seen) {
        Sighting lease = seen.present().get(0);
        Duration remaining = seen.remaining();
        Duration longer = remaining.compareTo(terms.ttl()) > 0 ? remaining : terms.ttl();
        return lease.record().extended(write, lease.fence(), longer).text();
    }

    @Override
    void refused(Sightings seen) {
        if (seen.all(lease -> isStillHeld(lease, seen))) {
            finish(new Extension.Exhausted(context.settings().extensionsMax().orElseThrow()));
        } else {
            Sightings.Loss loss = seen.loss(token, lease -> isStillHeld(lease, seen));
            finish(new Extension.Lost(loss.holder(), loss.resource()));
            cleanUpRest(token, seen);
        }
    }

    /** Measures the validity last (R4, S2). */
    @Override
    void written(List<Sighting> written) {
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
            Sighting lease = written.get(0);
            Duration age = Duration.between(
                    lease.record().since(), context.engineContext().wallClock().instant());
            finish(new Extension.Extended(lease(lease, terms.ttl(), validity, elapsed), Optional.of(age)));
        }
    }

    @Override
    void failed(Effect effect) {
        finish(new Extension.Unconfirmed(noAnswer(effect)));
    }
}
