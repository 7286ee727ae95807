// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Operations on the same locks that are written together: reads the records, lets each operation decide on the locks as the
 * one before leaves them, and writes all if they are still those that were read. After a conflict it begins again. It starts
 * with what this replica knows, so that it often needs no read: if that is old, the write is a conflict. A decision to write
 * nothing needs a fresh read. Several records are read one by one: then it needs two equal reads in succession, between which
 * no record changed.
 */
final class OperationGroup {
    /** After that many reads, the locks change too fast. */
    private static final int MOST_READS = 10;

    private final List<PendingOperation<?>> operations;
    private final ResourceNames resources;
    private final Records records;
    private final Runnable ended;
    private Optional<Sightings> previous = Optional.empty();
    private int reads;

    OperationGroup(List<PendingOperation<?>> operations, Records records, Runnable ended) {
        this.operations = operations;
        this.resources = operations.get(0).resources();
        this.records = records;
        this.ended = ended;
    }

    void start() {
        boolean mayBeOld = operations.get(0).token().isEmpty();
        if (mayBeOld || resources.list().stream().anyMatch(records::isUnread)) {
            read();
        } else {
            guard(() -> decide(false));
        }
    }

    private void read() {
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

    private void readAgain() {
        if (++reads < MOST_READS) {
            read();
        } else {
            failed(Effect.NONE);
        }
    }

    private void decide(boolean fresh) {
        Sightings seen = records.seen(resources);
        Sightings next = seen;
        for (PendingOperation<?> operation : operations) {
            next = operation.decide(next);
        }
        List<Change> changes = seen.changesTo(next);
        if (!changes.isEmpty()) {
            commit(changes, next);
        } else if (!fresh) {
            read();
        } else if (resources.count() == 1 || previous.filter(seen::isSameAs).isPresent()) {
            written(seen);
        } else {
            previous = Optional.of(seen);
            readAgain();
        }
    }

    private void commit(List<Change> changes, Sightings next) {
        records.commit(
                changes,
                next.records().stream().flatMap(Optional::stream).toList(),
                reply -> guard(() -> {
                    if (reply instanceof StoreReply.Committed committed) {
                        written(next.stored(committed.written(), records.now()));
                    } else if (reply instanceof StoreReply.Failed failed) {
                        failed(failed.effect());
                    } else {
                        readAgain();
                    }
                }));
    }

    private void written(Sightings after) {
        end(operation -> operation.written(after));
    }

    private void failed(Effect effect) {
        end(operation -> operation.failed(effect));
    }

    private void guard(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error bug) {
            end(operation -> operation.fail(bug));
        }
    }

    private void end(Consumer<PendingOperation<?>> how) {
        operations.forEach(how);
        ended.run();
    }
}
