// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.KnownLock.KnownReservation;
import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.engine.EngineSettings;
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
import java.util.stream.IntStream;

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
        LeaseToken token,
        AcquireTerms terms,
        String replica,
        String write,
        Instant wallClock,
        EngineSettings settings)
        implements Operation<Acquisition> {
    @Override
    public Set<LeaseToken> tokens() {
        return Set.of(token);
    }

    @Override
    public Step<Acquisition> decide(Snapshot seen) {
        if (seen.all(this::hasSameTerms) && seen.first().kind().equals(terms.kind())) {
            return repeat(seen, seen.leases(this::hasSameTerms));
        }
        LeaseRecord lease = LeaseRecord.of(token, write, resources, terms, wallClock);
        FirstSeen first = FirstSeen.ofOwn(seen.now());
        Duration reservation = terms.reservation(resources);
        Optional<String> waits = reservation.isZero() ? Optional.empty() : Optional.of(replica);
        List<Admission> locks = seen.locks().stream()
                .map(lock -> Admission.of(
                        lock, new KnownLease(lock.resource(), lease, first), terms.kind(), waits, seen.now()))
                .toList();
        List<Acquisition> refusals =
                locks.stream().flatMap(lock -> lock.refusal().stream()).toList();
        if (refusals.isEmpty()) {
            return Step.write(seen.with(
                    locks.stream().flatMap(lock -> lock.granted().stream()).toList()));
        }
        Conclusion<Acquisition> refused = Conclusion.of(refusal(refusals));
        return reserve(seen, reservation)
                .map(lock -> Step.end(seen.with(List.of(lock)), refused))
                .orElseGet(() -> Step.endWithHint(waitFor(seen, locks), refused));
    }

    /** Returns the locks with the name of this replica on those whose holders the client waits for. */
    private Snapshot waitFor(Snapshot seen, List<Admission> admissions) {
        return seen.with(IntStream.range(0, admissions.size())
                .mapToObj(index -> {
                    boolean waits = terms.mayBeTriedAgain()
                            && terms.kind().isExclusive()
                            && admissions
                                    .get(index)
                                    .refusal()
                                    .filter(Held.class::isInstance)
                                    .isPresent();
                    return waits
                            ? seen.locks().get(index).awaitedBy(replica)
                            : seen.locks().get(index);
                })
                .toList());
    }

    /** A lease without time left is not written: it would not last until the answer. */
    private Step<Acquisition> repeat(Snapshot seen, List<KnownLease> own) {
        Duration rest = seen.rest(own);
        return rest.isZero()
                ? Step.end(seen, Conclusion.of(new Acquisition.NoQuorum(StoreVotes.lateAnswer())))
                : Step.write(seen.with(own.get(0).record().rewritten(write, rest)));
    }

    private boolean hasSameTerms(KnownLease lease) {
        return lease.isHeldBy(token, resources) && lease.record().holder().hasTerms(terms);
    }

    private Optional<KnownLock> reserve(Snapshot seen, Duration lasts) {
        if (lasts.isZero() || !seen.leases(lease -> lease.isHeldBy(token)).isEmpty()) {
            return Optional.empty();
        }
        Reservation reservation = new Reservation(replica, write, lasts);
        return Admission.reserve(
                seen.first(), new KnownReservation(reservation, FirstSeen.ofOwn(seen.now())), seen.now());
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
    public Conclusion<Acquisition> written(Snapshot after, Duration elapsed) {
        KnownLease own = after.written(write);
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
                    ? tooShort.ifDelivered(removal(this::isOwnWrite))
                    : tooShort.with(removal(this::isOwnWrite));
        }
        if (validity.isZero()) {
            return Conclusion.<Acquisition>of(new Acquisition.NoQuorum(StoreVotes.lateAnswer()))
                    .with(removal(this::beganLease));
        }
        Lease lease = StoreVotes.lease(
                resources,
                own,
                terms.ttl(),
                validity,
                elapsed,
                settings,
                own.record().holder().slot());
        return repeated
                ? Conclusion.of(new Acquisition.Replayed(lease))
                : Conclusion.<Acquisition>of(new Acquisition.Acquired(lease)).ifNotDelivered(removal(this::isOwnWrite));
    }

    /** A write without a reply that began a lease is deleted wherever it took effect (R5). */
    @Override
    public Conclusion<Acquisition> failed(Effect effect) {
        Conclusion<Acquisition> answer = Conclusion.of(new Acquisition.NoQuorum(StoreVotes.noAnswer(effect)));
        return effect == Effect.UNKNOWN ? answer.with(removal(this::beganLease)) : answer;
    }

    private HolderRemoval removal(Predicate<KnownLease> condition) {
        return HolderRemoval.delete(resources, tokens(), condition, terms.ttl());
    }

    private boolean isOwnWrite(KnownLease lease) {
        return lease.hasWrite(write);
    }

    private boolean beganLease(KnownLease lease) {
        return isOwnWrite(lease) && lease.record().beginsLease();
    }
}
