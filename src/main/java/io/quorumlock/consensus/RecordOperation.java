// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Lease.Votes;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * One operation on a lock: reads its record, decides, and writes if the record is still the one that was read. After a
 * conflict it begins again. It starts with what this replica knows, so that it often needs no read: if that is old,
 * the write is a conflict. A decision to write nothing needs a fresh read.
 */
abstract class RecordOperation<T> {
    /** Each conflict means that another operation on the lock succeeded. */
    private static final int MOST_CONFLICTS = 10;

    static final Votes ONE_VOTE = new Votes(1, 1, 1);

    final ResourceName resource;
    final OperationContext context;
    private final CompletableFuture<T> answer;
    private final BiConsumer<T, Duration> report;
    private final MonotonicTime started;
    private int conflicts;

    /** @param report called with the outcome and the duration, after the answer */
    RecordOperation(
            ResourceName resource,
            OperationContext context,
            CompletableFuture<T> answer,
            BiConsumer<T, Duration> report) {
        this.resource = resource;
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

    /** Returns the change to make; empty to change nothing. */
    abstract Optional<Change> change(Optional<Sighting> seen);

    /** Called after the change. @param written the new record; empty if it was deleted */
    abstract void written(Optional<Sighting> written);

    /** Called if the record that was just read leads to no change. */
    abstract void refused(Optional<Sighting> seen);

    /** Called if the store gave no answer. */
    abstract void failed(Effect effect);

    void run() {
        boolean unread = context.records().isKnown(resource)
                && context.records().known(resource).isEmpty();
        if (unread) {
            read();
        } else {
            decide(false);
        }
    }

    /** Runs without what this replica knows. */
    void read() {
        context.records()
                .read(
                        resource,
                        reply -> guard(() -> {
                            if (reply instanceof StoreReply.Failed) {
                                failed(Effect.NONE);
                            } else {
                                decide(true);
                            }
                        }));
    }

    private void decide(boolean fresh) {
        Optional<Sighting> seen = context.records().known(resource);
        Optional<Change> change = change(seen);
        if (change.isPresent()) {
            commit(change.get());
        } else if (fresh) {
            refused(seen);
        } else {
            read();
        }
    }

    private void commit(Change change) {
        context.records()
                .commit(
                        List.of(change),
                        reply -> guard(() -> {
                            if (reply instanceof StoreReply.Committed) {
                                written(context.records().known(resource));
                            } else if (reply instanceof StoreReply.Failed failed) {
                                failed(failed.effect());
                            } else if (++conflicts < MOST_CONFLICTS) {
                                read();
                            } else {
                                failed(Effect.NONE);
                            }
                        }));
    }

    private void guard(Runnable part) {
        LoopCalls.failIfItThrows(answer, part);
    }

    /** Returns the record of a lease that is not over, as far as this replica knows. */
    final Optional<Sighting> unexpired(Optional<Sighting> seen) {
        return seen.filter(lease -> !lease.isExpired(now()));
    }

    /** Answers, and returns whether the caller is still there (R11). */
    final boolean finish(T outcome) {
        boolean delivered = answer.complete(outcome);
        report.accept(outcome, elapsed());
        return delivered;
    }

    /** Deletes the record in the background, if it is or becomes one that meets the condition. */
    final void cleanUp(Predicate<Sighting> condition, Duration longest) {
        context.cleanUps().delete(resource, condition, longest, context);
    }

    final MonotonicTime now() {
        return context.engineContext().clock().now();
    }

    final Duration elapsed() {
        return now().since(started);
    }

    /** Returns the lease of a record that was written. The store counts as one master. */
    final Lease lease(Sighting written, Duration ttl, Duration validity, Duration elapsed) {
        return new Lease(
                ResourceNames.of(resource),
                written.record().token(),
                written.fence(),
                ttl,
                validity,
                elapsed,
                Duration.ZERO,
                context.settings().extensionsLeft(written.record().extensionsUsed()),
                ONE_VOTE);
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
