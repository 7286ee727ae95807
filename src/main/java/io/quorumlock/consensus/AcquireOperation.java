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
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An acquire: creates the record, or replaces that of a lease that is over. A repeated acquire writes the record
 * again, as an extension by the time that is left: only so does it know how long the lease lasts for every replica.
 */
final class AcquireOperation extends RecordOperation<Acquisition> {
    private final LeaseToken token;
    private final AcquireTerms terms;
    private final String write;

    AcquireOperation(
            ResourceName resource,
            AcquireTerms terms,
            OperationContext context,
            CompletableFuture<Acquisition> answer,
            LockListener listener) {
        super(resource, context, answer, listener::acquire);
        this.terms = terms;
        this.token = terms.token()
                .orElseGet(() -> LeaseToken.mint(context.engineContext().random()));
        this.write = context.nextWrite();
    }

    @Override
    Optional<Change> change(Optional<Sighting> seen) {
        LockRecord lease = LockRecord.of(token, write, terms);
        if (seen.isEmpty()) {
            return Optional.of(new Change.Create(resource, lease.text()));
        }
        Sighting held = seen.get();
        if (isRepeated(held)) {
            LockRecord again = held.record().extended(write, held.fence(), held.remaining(now()));
            boolean allowed = held.record().hasTerms(terms)
                    && context.settings().extensionsLeft(held.record().extensionsUsed()) > 0;
            return allowed ? Optional.of(new Change.Replace(held.stored(), again.text())) : Optional.empty();
        }
        // The client whose own lease has expired does not count on it any more.
        boolean free = held.isHeldBy(token) || untilFree(held).isZero();
        return free ? Optional.of(new Change.Replace(held.stored(), lease.text())) : Optional.empty();
    }

    private boolean isRepeated(Sighting held) {
        return held.isHeldBy(token) && !held.isExpired(now());
    }

    private Duration untilFree(Sighting held) {
        Duration time = held.untilFree(context.settings().drift(), now());
        return time.isNegative() ? Duration.ZERO : time;
    }

    @Override
    void refused(Optional<Sighting> seen) {
        Sighting held = seen.orElseThrow();
        boolean otherTerms = isRepeated(held) && !held.record().hasTerms(terms);
        finish(
                otherTerms
                        ? new Acquisition.TokenInUse()
                        : new Acquisition.Held(
                                List.of(new Taken(
                                        resource,
                                        held.record().owner(),
                                        untilFree(held),
                                        Optional.of(held.record().token()),
                                        false)),
                                false,
                                Duration.ZERO));
    }

    /** Measures the validity last (R4, S2). */
    @Override
    void written(Optional<Sighting> written) {
        Sighting lease = written.orElseThrow();
        boolean repeated = lease.record().extensionsUsed() > 0;
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
        Duration validity = context.settings().drift().validity(lease.record().lasts(), elapsed);
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
            cleanUp(seen -> isOwnWrite(seen) && seen.record().extensionsUsed() == 0, terms.ttl());
        }
    }

    private boolean isOwnWrite(Sighting seen) {
        return seen.record().write().equals(write);
    }
}
