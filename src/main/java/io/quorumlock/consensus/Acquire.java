// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An acquire: adds a holder to each record. A repeated acquire writes the holder again, for the time that is left: only so
 * does it know how long the lease lasts for every replica, whichever wrote it before, and also if the clock of this one was
 * stopped.
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

    @Override
    public Optional<LeaseToken> token() {
        return Optional.of(holder);
    }

    @Override
    public Decision<Acquisition> decide(Sightings seen) {
        if (isRepeated(seen)) {
            return repeat(seen, seen.leases(this::hasSameTerms));
        }
        List<LockRecord> granted = seen.places()
                .flatMap(place -> admitted(seen.current(place)).stream())
                .toList();
        if (granted.size() == resources.count()) {
            return new Write<>(granted);
        }
        return reserved(seen)
                .<Decision<Acquisition>>map(lock -> new Write<>(List.of(lock), Optional.of(refusal(seen))))
                .orElseGet(() -> refusal(seen));
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

    private Optional<LockRecord> admitted(LockRecord lock) {
        LeaseRecord newcomer = LeaseRecord.of(holder, write, resources, terms, wallClock);
        Optional<String> waits = Optional.of(replica).filter(here -> waitsAlone());
        return Admission.admit(lock, newcomer, terms.kind(), waits);
    }

    /** Others may hold one of several locks for long, so that a client of several keeps nobody out. */
    private boolean waitsAlone() {
        return resources.count() == 1 && terms.kind().isExclusive() && terms.mayBeTriedAgain();
    }

    private Optional<LockRecord> reserved(Sightings seen) {
        boolean mayReserve =
                waitsAlone() && seen.leases(lease -> lease.isHeldBy(holder)).isEmpty();
        return mayReserve ? Admission.reserve(seen.current(0), replica, write, terms.patience()) : Optional.empty();
    }

    private Conclusion<Acquisition> refusal(Sightings seen) {
        List<Taken> taken =
                seen.places().flatMap(place -> taken(seen, place).stream()).toList();
        if (taken.isEmpty()) {
            return Conclusion.of(new Acquisition.TokenInUse());
        }
        LockKind kind = seen.current(0).kind();
        boolean otherSlots = !seen.leases(0).isEmpty()
                && kind.type() == LockKind.Type.SLOTS
                && terms.kind().type() == LockKind.Type.SLOTS
                && !kind.equals(terms.kind());
        return Conclusion.of(
                otherSlots
                        ? new Acquisition.OtherSlots(kind.slots())
                        : new Acquisition.Held(taken, false, Duration.ZERO));
    }

    /** Returns why another client keeps this one out of one of the locks; empty if none does. */
    private Optional<Taken> taken(Sightings seen, int place) {
        LockRecord lock = seen.current(place);
        List<SeenLease> leases = seen.leases(place);
        if (admitted(lock).isPresent() || leases.stream().anyMatch(lease -> lease.isHeldBy(holder))) {
            return Optional.empty();
        }
        Comparator<SeenLease> byEnd = Comparator.comparing(lease -> lease.remaining(seen.now()));
        // One place is enough beside others of the same kind.
        Optional<SeenLease> decisive = lock.kind().equals(terms.kind())
                ? leases.stream().min(byEnd)
                : leases.stream().max(byEnd);
        return decisive.map(lease -> lease.taken(seen.now(), lock.kind())).or(() -> seen.reservation(place));
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
        return CleanUp.delete(resources, Optional.of(holder), condition, terms.ttl());
    }

    private boolean isOwnWrite(SeenLease lease) {
        return lease.record().write().equals(write);
    }

    private boolean beganLease(SeenLease lease) {
        return isOwnWrite(lease) && lease.record().beginsLease();
    }
}
