// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A forced release: deletes the record of the lease that it reads first, and of no later one (R6). */
final class ForceOperation extends RecordOperation<ForcedRelease> {
    private final ForceTerms terms;
    private Optional<Sighting> target = Optional.empty();

    ForceOperation(
            ResourceName resource,
            ForceTerms terms,
            OperationContext context,
            CompletableFuture<ForcedRelease> answer,
            LockListener listener) {
        super(ResourceNames.of(resource), context, answer, (outcome, elapsed) -> listener.forceRelease(outcome));
        this.terms = terms;
    }

    @Override
    List<Change> changes(Sightings seen) {
        Optional<Sighting> held = held(seen);
        target = target.or(() -> held);
        return held.filter(this::isTarget).<Change>map(lease -> Change.delete(lease.stored())).stream()
                .toList();
    }

    private Optional<Sighting> held(Sightings seen) {
        return seen.present().stream()
                .filter(lease -> !lease.isExpired(seen.now()))
                .filter(lease -> terms.select(lease.record().owner(), Optional.of(lease.fence())))
                .findFirst();
    }

    private boolean isTarget(Sighting lease) {
        return target.filter(first -> first.fence().equals(lease.fence())).isPresent();
    }

    @Override
    void refused(Sightings seen) {
        finish(
                held(seen).isEmpty()
                        ? new ForcedRelease.Free()
                        : new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS));
    }

    @Override
    void written(List<Sighting> written) {
        finish(new ForcedRelease.Broken(target.orElseThrow().record().owner()));
    }

    @Override
    void failed(Effect effect) {
        if (effect == Effect.NONE) {
            finish(new ForcedRelease.NoQuorum(noAnswer(effect)));
        } else {
            Sighting broken = target.orElseThrow();
            finish(new ForcedRelease.Unconfirmed(
                    noAnswer(effect), broken.record().owner(), broken.remaining(now())));
            cleanUp(this::isTarget, broken.record().lasts());
        }
    }
}
