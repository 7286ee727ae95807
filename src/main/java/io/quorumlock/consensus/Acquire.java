// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An acquire: adds a holder to each record. A repeated acquire writes the holder again, with the time that is left: only
 * the replica of the last write knows how long a lease lasts.
 *
 * @param replica that makes this call
 * @param write of this call
 * @param wallClock for display only
 */
record Acquire(
        ResourceNames resources,
        LeaseToken holder,
        AcquireTerms terms,
        String replica,
        String write,
        Instant wallClock,
        ConsensusSettings settings)
        implements Operation<Acquisition> {
    /** The time within which the clients that wait on a replica to hold a shared lock alone ask again. */
    private static final Duration LONGEST_RESERVATION = Duration.ofSeconds(2);

    @Override
    public Set<LeaseToken> tokens() {
        return Set.of(holder);
    }

    @Override
    public Decision<Acquisition> decide(Sightings seen) {
        if (isRepeated(seen)) {
            return repeat(seen, seen.leases(this::hasSameTerms));
        }
        LeaseRecord newcomer = LeaseRecord.of(holder, write, resources, terms, wallClock);
        Optional<String> waits = waitsAlone() ? Optional.of(replica) : Optional.empty();
        List<Admission> locks = seen.places()
                .map(place -> Admission.of(seen, place, newcomer, terms.kind(), waits))
                .toList();
        List<Acquisition> refusals =
                locks.stream().flatMap(lock -> lock.refusal().stream()).toList();
        if (refusals.isEmpty()) {
            return new Write<>(
                    locks.stream().flatMap(lock -> lock.granted().stream()).toList());
        }
        Conclusion<Acquisition> refusal = Conclusion.of(refusal(refusals));
        Optional<LockRecord> reserved = waitsAlone() ? reserve(seen) : Optional.empty();
        return reserved.<Decision<Acquisition>>map(lock -> new Write<>(List.of(lock), Optional.of(refusal)))
                .orElse(refusal);
    }

    /** A lease without time left is not written: it would not last until the answer. */
    private Decision<Acquisition> repeat(Sightings seen, List<SeenLease> own) {
        Duration rest = seen.rest(own);
        SeenLease first = own.get(0);
        return rest.isZero()
                ? Conclusion.of(new Acquisition.NoQuorum(StoreVotes.lateAnswer()))
                : new Write<>(seen.with(first.record().rewritten(write, first.fence(), rest)));
    }

    private boolean isRepeated(Sightings seen) {
        return seen.all(this::hasSameTerms) && seen.current(0).kind().equals(terms.kind());
    }

    private boolean hasSameTerms(SeenLease lease) {
        return lease.isHeldBy(holder, resources) && lease.record().hasTerms(terms);
    }

    /** Others may hold one of several locks for long, so that a client of several keeps nobody out. */
    private boolean waitsAlone() {
        return resources.count() == 1 && terms.kind().isExclusive() && terms.mayBeTriedAgain();
    }

    private Optional<LockRecord> reserve(Sightings seen) {
        if (!seen.leases(lease -> lease.isHeldBy(holder)).isEmpty()) {
            return Optional.empty();
        }
        boolean leavesSoon = terms.patience().compareTo(LONGEST_RESERVATION) < 0;
        Duration lasts = leavesSoon ? terms.patience() : LONGEST_RESERVATION;
        return Admission.reserve(seen.current(0), new Reservation(replica, write, lasts));
    }

    /** Returns the outcome of a call that several locks refuse: all locks that others hold, if there are any. */
    private static Acquisition refusal(List<Acquisition> refusals) {
        List<Taken> taken = refusals.stream()
                .filter(Held.class::isInstance)
                .flatMap(held -> ((Held) held).taken().stream())
                .toList();
        return taken.isEmpty() ? refusals.get(0) : new Held(taken, false, Duration.ZERO);
    }

    /** Measures the validity last (R4, S2). */
    @Override
    public Conclusion<Acquisition> written(Sightings after, Duration elapsed) {
        SeenLease own = after.written(write).orElseThrow();
        LeaseRecord record = own.record();
        boolean repeated = !record.beginsLease();
        Duration lasts = record.lasts(); // Longer than the TTL after an extension by a longer one.
        Duration usable = lasts.compareTo(terms.ttl()) < 0 ? lasts : terms.ttl();
        Duration validity = settings.drift().validity(usable, elapsed);
        Optional<ValidityShortage> shortage = ValidityShortage.of(terms.minValidity(), validity);
        if (shortage.isPresent()) {
            Conclusion<Acquisition> tooShort =
                    Conclusion.of(new Acquisition.TooShort(shortage.get(), repeated, StoreVotes.lateAnswer()));
            // An earlier lease belongs to another call as well. It ends only if its client learns of that.
            return repeated
                    ? tooShort.ifDelivered(cleanUp(this::isOwnWrite))
                    : tooShort.with(cleanUp(this::isOwnWrite));
        }
        if (validity.isNegative() || validity.isZero()) {
            return Conclusion.<Acquisition>of(new Acquisition.NoQuorum(StoreVotes.lateAnswer()))
                    .with(cleanUp(this::beganLease));
        }
        Lease lease = StoreVotes.lease(resources, own, terms.ttl(), validity, elapsed, settings);
        return repeated
                ? Conclusion.of(new Acquisition.Replayed(lease))
                : Conclusion.<Acquisition>of(new Acquisition.Acquired(lease)).ifNotDelivered(cleanUp(this::isOwnWrite));
    }

    /** A write without a reply that began a lease is deleted wherever it took effect (R5). */
    @Override
    public Conclusion<Acquisition> failed(Effect effect) {
        Conclusion<Acquisition> answer = Conclusion.of(new Acquisition.NoQuorum(StoreVotes.noAnswer(effect)));
        return effect == Effect.UNKNOWN ? answer.with(cleanUp(this::beganLease)) : answer;
    }

    private CleanUp cleanUp(Predicate<SeenLease> condition) {
        return CleanUp.delete(resources, tokens(), condition, terms.ttl());
    }

    private boolean isOwnWrite(SeenLease lease) {
        return lease.record().write().equals(write);
    }

    private boolean beganLease(SeenLease lease) {
        return isOwnWrite(lease) && lease.record().beginsLease();
    }
}
