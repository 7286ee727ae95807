// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An acquire: creates the records, or replaces those of leases that are over. A repeated acquire writes the records
 * again, for the time that is left: only so does it know how long the lease lasts for every replica, whichever wrote
 * them before, and also if the clock of this one was stopped.
 */
final class AcquireOperation extends RecordOperation<Acquisition> {
    private final LeaseToken token;
    private final AcquireTerms terms;
    private final String write;

    AcquireOperation(
            ResourceNames resources,
            AcquireTerms terms,
            OperationContext context,
            CompletableFuture<Acquisition> answer,
            LockListener listener) {
        super(resources, context, answer, listener::acquire);
        this.terms = terms;
        this.token = terms.token()
                .orElseGet(() -> LeaseToken.mint(context.engineContext().random()));
        this.write = context.nextWrite();
    }

    @Override
    List<Change> changes(Sightings seen) {
        if (isRepeated(seen)) {
            Sighting held = seen.present().get(0);
            return seen.write(
                    held.record().repeated(write, held.fence(), seen.rest()).text());
        }
        boolean free = seen.present().stream().allMatch(seen::isOver);
        return free
                ? seen.write(LockRecord.of(token, write, resources, terms, wallClock())
                        .text())
                : List.of();
    }

    private Instant wallClock() {
        return context.engineContext().wallClock().instant();
    }

    private boolean isRepeated(Sightings seen) {
        return seen.all(held -> isHeld(token, held) && held.record().hasTerms(terms) && !seen.isOver(held));
    }

    @Override
    void refused(Sightings seen) {
        List<Taken> others = seen.present().stream()
                .filter(held -> !held.isHeldBy(token) && !seen.isOver(held))
                .map(held -> new Taken(
                        held.stored().name(),
                        held.record().owner().filter(owner -> !held.record().isKept()),
                        held.remaining(seen.now()),
                        Optional.of(held.record().token())
                                .filter(holder -> !held.record().isKept()),
                        held.record().isKept(),
                        false))
                .toList();
        finish(others.isEmpty() ? new Acquisition.TokenInUse() : new Acquisition.Held(others, false, Duration.ZERO));
    }

    /** Measures the validity last (R4, S2). */
    @Override
    void written(List<Sighting> written) {
        Sighting lease = written.get(0);
        boolean repeated = !lease.record().beginsLease();
        Acquisition outcome = outcome(lease, repeated);
        boolean delivered = finish(outcome);
        boolean given = outcome.granted().isPresent();
        // An earlier lease belongs to another call as well. It ends only if its client learns of that.
        boolean unwanted = repeated ? outcome instanceof Acquisition.TooShort && delivered : !given || !delivered;
        if (unwanted) {
            cleanUp(this::isOwnWrite, terms.ttl());
        }
    }

    private Acquisition outcome(Sighting lease, boolean repeated) {
        Duration elapsed = elapsed();
        Duration lasts = lease.record().lasts(); // Longer than the TTL after an extension by a longer one.
        Duration usable = lasts.compareTo(terms.ttl()) < 0 ? lasts : terms.ttl();
        Duration validity = context.settings().drift().validity(usable, elapsed);
        Optional<ValidityShortage> shortage = ValidityShortage.of(terms.minValidity(), validity);
        if (shortage.isPresent()) {
            return new Acquisition.TooShort(shortage.get(), repeated, lateAnswer());
        }
        if (validity.isNegative() || validity.isZero()) {
            return new Acquisition.NoQuorum(lateAnswer());
        }
        Lease granted = lease(lease, terms.ttl(), validity, elapsed);
        return repeated ? new Acquisition.Replayed(granted) : new Acquisition.Acquired(granted);
    }

    /** Answers at once. A write without a reply that began a lease is deleted wherever it took effect (R5). */
    @Override
    void failed(Effect effect) {
        finish(new Acquisition.NoQuorum(noAnswer(effect)));
        if (effect == Effect.UNKNOWN) {
            cleanUp(seen -> isOwnWrite(seen) && seen.record().beginsLease(), terms.ttl());
        }
    }

    private boolean isOwnWrite(Sighting seen) {
        return seen.record().write().equals(write);
    }
}
