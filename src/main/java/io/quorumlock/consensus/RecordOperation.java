// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Lease.Votes;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One operation on the locks of a lease: reads their records, decides, and writes all if they are still those that were
 * read. After a conflict it begins again. It starts with what this replica knows, so that it often needs no read: if that
 * is old, the write is a conflict. A decision to write nothing needs a fresh read. Several records are read one by one:
 * then it needs two equal reads in succession, between which no record changed.
 */
abstract class RecordOperation<T> {
    /** After that many reads, the locks change too fast. */
    private static final int MOST_READS = 10;

    static final Votes ONE_VOTE = new Votes(1, 1, 1);

    final ResourceNames resources;
    final OperationContext context;
    private final CompletableFuture<T> answer;
    private final BiConsumer<T, Duration> report;
    private final MonotonicTime started;
    private Optional<Sightings> previous = Optional.empty();
    private int reads;

    /** @param report called with the outcome and the duration, after the answer */
    RecordOperation(
            ResourceNames resources,
            OperationContext context,
            CompletableFuture<T> answer,
            BiConsumer<T, Duration> report) {
        this.resources = resources;
        this.context = context;
        this.answer = answer;
        this.report = report;
        this.started = now();
    }

    /** Dependencies shared by all operations. */
    record OperationContext(
            Records records, CleanUps cleanUps, ConsensusSettings settings, EngineContext engineContext) {

        /** Returns a text that no other write has. */
        String nextWrite() {
            return Long.toUnsignedString(engineContext.random().nextLong(), Character.MAX_RADIX);
        }
    }

    /** Returns the changes to make, all or none; empty to change nothing. */
    abstract List<Change> changes(Sightings seen);

    /** Called after the changes. @param written the written records, in the order of the resources */
    abstract void written(List<Sighting> written);

    /** Called if the records that were just read lead to no change. */
    abstract void refused(Sightings seen);

    /** Called if the store gave no answer. */
    abstract void failed(Effect effect);

    void run() {
        if (resources.list().stream().anyMatch(context.records()::isUnread)) {
            read();
        } else {
            decide(false);
        }
    }

    /** Runs without what this replica knows. */
    void read() {
        context.records()
                .read(
                        resources.list(),
                        complete -> guard(() -> {
                            if (complete) {
                                decide(true);
                            } else {
                                failed(Effect.NONE);
                            }
                        }));
    }

    private void decide(boolean fresh) {
        Sightings seen = seen();
        List<Change> changes = changes(seen);
        if (!changes.isEmpty()) {
            commit(changes);
        } else if (!fresh) {
            read();
        } else if (resources.count() == 1 || previous.filter(seen::isSameAs).isPresent()) {
            refused(seen);
        } else {
            previous = Optional.of(seen);
            readAgain();
        }
    }

    private void commit(List<Change> changes) {
        context.records()
                .commit(
                        changes,
                        reply -> guard(() -> {
                            if (reply instanceof StoreReply.Committed committed) {
                                written(committed.written().stream()
                                        .flatMap(record -> Sighting.of(record, now(), Optional.empty()).stream())
                                        .toList());
                            } else if (reply instanceof StoreReply.Failed failed) {
                                failed(failed.effect());
                            } else {
                                readAgain();
                            }
                        }));
    }

    private void readAgain() {
        if (++reads < MOST_READS) {
            read();
        } else {
            failed(Effect.NONE);
        }
    }

    private Sightings seen() {
        return new Sightings(
                resources,
                resources.list().stream().map(context.records()::known).toList(),
                now());
    }

    private void guard(Runnable part) {
        LoopCalls.failIfItThrows(answer, part);
    }

    /** Returns whether a record is one of this token's lease of these resources, which may be released and kept. */
    final boolean isOf(LeaseToken token, Sighting seen) {
        return seen.record().token().equals(token) && seen.record().names().equals(resources.mark());
    }

    /** Returns whether a record is one of this token's lease of these resources, which was not released. */
    final boolean isHeld(LeaseToken token, Sighting seen) {
        return isOf(token, seen) && seen.isHeldBy(token);
    }

    /** Answers, and returns whether the caller is still there (R11). */
    final boolean finish(T outcome) {
        boolean delivered = answer.complete(outcome);
        report.accept(outcome, elapsed());
        return delivered;
    }

    /** Deletes the records in the background that meet the condition, or will. */
    final void cleanUp(Predicate<Sighting> condition, Duration longest) {
        cleanUp(condition, seen -> Change.delete(seen.stored()), longest);
    }

    final void cleanUp(Predicate<Sighting> condition, Function<Sighting, Change> change, Duration longest) {
        context.cleanUps().start(resources, condition, change, longest, context);
    }

    /** Deletes what is left of a lease that lost one of its resources, and nothing of a later lease. */
    final void cleanUpRest(LeaseToken token, Sightings lost) {
        List<Sighting> rest =
                lost.present().stream().filter(seen -> isHeld(token, seen)).toList();
        if (!rest.isEmpty()) {
            cleanUp(
                    seen -> seen.isHeldBy(token)
                            && rest.stream().anyMatch(one -> one.fence().equals(seen.fence())),
                    context.settings().ttlMax());
        }
    }

    final MonotonicTime now() {
        return context.engineContext().clock().now();
    }

    final Duration elapsed() {
        return now().since(started);
    }

    /** Returns the lease of records that were written. The store counts as one master. */
    final Lease lease(Sighting written, Duration ttl, Duration validity, Duration elapsed) {
        return new Lease(
                resources,
                written.record().token(),
                written.fence(),
                ttl,
                validity,
                elapsed,
                Duration.ZERO,
                context.settings().extensionsLeft(written.record().extensionsUsed()),
                ONE_VOTE,
                OptionalInt.empty());
    }

    /** Returns the reason if the store gave no answer. */
    static NoQuorumReason noAnswer(Effect effect) {
        return new NoQuorumReason(0, 1, 1, effect);
    }

    /** Returns the reason if the store answered too late. */
    static NoQuorumReason lateAnswer() {
        return new NoQuorumReason(1, 1, 1, Effect.UNKNOWN);
    }
}
