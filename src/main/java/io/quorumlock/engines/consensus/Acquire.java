// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Acquisition.Held.Taken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.KnownLock.KnownReservation;
import io.quorumlock.engines.consensus.LockRecord.Reservation;
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
        Optional<String> waits = reservation.isZero() ? Optional.empty() : Optional.of(replica + terms.overtaken());
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
        Snapshot awaited = seen.with(IntStream.range(0, locks.size())
                .mapToObj(index -> awaited(seen.locks().get(index), locks.get(index)))
                .toList());
        return waits.filter(name -> seen.leases(one -> one.isHeldBy(token)).isEmpty())
                .map(name -> reserve(awaited, new Reservation(name, write, reservation)))
                .filter(reserved -> !reserved.equals(awaited))
                .map(reserved -> Step.end(reserved, refused))
                .orElseGet(() -> Step.endWithHint(awaited, refused));
    }

    /** Returns a lock with the name of this replica, if the client waits for its holder. */
    private KnownLock awaited(KnownLock lock, Admission admission) {
        boolean waits = terms.mayBeTriedAgain()
                && admission.refusal().filter(Held.class::isInstance).isPresent();
        return waits ? lock.awaitedBy(replica) : lock;
    }

    /** Clients for several locks that keep each other out would wait for ever. */
    private static Snapshot reserve(Snapshot seen, Reservation reservation) {
        KnownReservation added = new KnownReservation(reservation, FirstSeen.ofOwn(seen.now()));
        boolean marked =
                seen.locks().stream().anyMatch(lock -> lock.isReservedForOthers(Optional.of(reservation.replica())));
        return marked
                ? seen
                : seen.with(seen.locks().stream()
                        .map(lock -> Admission.reserve(lock, added, seen.now()).orElse(lock))
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
        Duration usable = Durations.min(lasts, terms.ttl());
        Duration validity = settings.drift().validity(usable, elapsed);
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
