// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Operations on the same locks that are written together: reads the records, lets each operation decide on the locks as the
 * one before leaves them, and writes all if they are still those that were read. After a conflict it begins again, with a read if the store did not tell the records. It starts
 * with what this replica knows, so that it often needs no read: if that is old, the write is a conflict. A decision to write
 * nothing needs a fresh read. A store may read several records one by one: then it needs two equal reads in succession,
 * between which no record changed.
 */
final class OperationGroup {
    private final List<PendingOperation<?>> operations;
    private final ResourceNames resources;
    private final Records records;
    private final Duration longest;
    private final BiConsumer<Duration, Boolean> ended;
    private final MonotonicTime began;
    private Optional<Snapshot> previous = Optional.empty();
    private boolean hasRead;
    private boolean conflict;
    private boolean hints = true;
    private boolean marks = true;

    /**
     * @param longest after this time the operations fail, because the locks change too fast
     * @param ended receives the time that it takes to read and to write the locks, zero if this is not known, and whether
     *     another replica wrote them meanwhile
     */
    OperationGroup(
            List<PendingOperation<?>> operations,
            Records records,
            Duration longest,
            BiConsumer<Duration, Boolean> ended) {
        this.operations = operations;
        this.resources = operations.get(0).resources();
        this.records = records;
        this.longest = longest;
        this.ended = ended;
        this.began = records.now();
    }

    void start() {
        if (resources.list().stream().anyMatch(records::isUnread)) {
            read();
        } else {
            guard(() -> decide(false));
        }
    }

    private void read() {
        hasRead = true;
        records.read(
                resources.list(),
                complete -> guard(() -> {
                    if (complete) {
                        decide(true);
                    } else {
                        failed(Effect.NONE);
                    }
                }));
    }

    private void again(Runnable step) {
        if (elapsed().compareTo(longest) <= 0) {
            step.run();
        } else {
            failed(Effect.NONE);
        }
    }

    private void decide(boolean fresh) {
        Snapshot seen = records.snapshot(resources);
        Snapshot next = seen;
        for (PendingOperation<?> operation : operations) {
            next = operation.decide(next, hints, marks);
        }
        List<Change> changes = seen.changesTo(next);
        if (!changes.isEmpty()) {
            commit(changes, next);
        } else if (!fresh) {
            read();
        } else if (resources.count() == 1
                || previous.filter(seen::hasVersionsOf).isPresent()) {
            end(operation -> operation.written(seen), Duration.ZERO);
        } else {
            previous = Optional.of(seen);
            again(this::read);
        }
    }

    private void commit(List<Change> changes, Snapshot next) {
        records.commit(
                changes,
                next.locks(),
                reply -> guard(() -> {
                    if (reply instanceof StoreReply.Committed committed) {
                        written(next.written(committed.written(), records.now()));
                    } else if (reply instanceof StoreReply.Failed failed) {
                        refused(failed.effect());
                    } else if (reply instanceof StoreReply.Conflict refused) {
                        conflict = true;
                        // A lock that changes faster than a hint is written would delay the outcome without end.
                        hints &= !operations.stream().allMatch(PendingOperation::isDecided);
                        hasRead = true;
                        boolean told = !refused.present().isEmpty();
                        again(told ? () -> decide(resources.count() == 1) : this::read);
                    }
                }));
    }

    /** A full store refuses writes, and the outcomes that are decided need none (R15). */
    private void refused(Effect effect) {
        boolean answers = effect == Effect.NONE
                ? operations.stream().anyMatch(PendingOperation::isDecided)
                : operations.stream().allMatch(PendingOperation::isDecided);
        if (marks && answers) {
            marks = false;
            again(this::read);
        } else {
            failed(effect);
        }
    }

    private void written(Snapshot after) {
        Duration took = elapsed();
        Duration longestPause = longest.dividedBy(8);
        Duration needed = hasRead ? Durations.min(took, longestPause) : Duration.ZERO;
        end(operation -> operation.written(after), needed);
    }

    private void failed(Effect effect) {
        end(operation -> operation.failed(effect), Duration.ZERO);
    }

    private void guard(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error bug) {
            end(operation -> operation.fail(bug), Duration.ZERO);
        }
    }

    private Duration elapsed() {
        return records.now().since(began);
    }

    /** @param needed the time that it takes to read and to write the locks; zero if this is not known */
    private void end(Consumer<PendingOperation<?>> how, Duration needed) {
        operations.forEach(how);
        ended.accept(needed, conflict);
    }
}
