// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The transactions of one connection with a store. One request is in flight. The transactions that wait meanwhile are sent
 * together as the next one. None is sent again (R8), except after the store refused the group as a whole, and so made no change.
 *
 * <p>All state is confined to the event loop.
 */
public final class GroupCommit {
    /** Contents of a group. With three bytes for each character, and the names, it is smaller than a request may be. */
    private static final int MOST_CHARACTERS = 200_000;

    private final Sender sender;
    private final int mostChanges;
    private final Executor loop;
    private final Deque<Transaction> waiting = new ArrayDeque<>();
    private int inFlight;
    /** Whether there was no space for the last write. Deletes need none, and are not sent together with writes then. */
    private boolean full;

    private boolean flushDue;
    private boolean closed;

    /** A connection that sends groups of transactions. No name is in two transactions of a group. */
    public interface Sender {
        /**
         * Makes all changes of each transaction, or none of them if a record is not as it expects it.
         *
         * @param then called once, on the event loop
         */
        void send(List<List<Change>> group, Consumer<Outcome> then);
    }

    /**
     * The outcome of a group.
     *
     * @param replies one for each transaction
     * @param refused whether the store made no change at all. The reason may concern one transaction only
     * @param full whether the store had no space for a write
     */
    public record Outcome(List<StoreReply> replies, boolean refused, boolean full) {}

    private record Transaction(List<Change> changes, StoreCall call) {
        boolean needsSpace() {
            return changes.stream().anyMatch(change -> change.text().isPresent());
        }

        int characters() {
            return changes.stream()
                    .mapToInt(change -> change.text().orElse("").length())
                    .sum();
        }
    }

    /** @param mostChanges so many changes a group may have, together with its largest transaction */
    public GroupCommit(Sender sender, int mostChanges, Executor loop) {
        this.sender = sender;
        this.mostChanges = mostChanges;
        this.loop = loop;
    }

    /** Makes all changes or none. All that are called in one turn of the event loop are sent together. */
    public void commit(List<Change> changes, StoreCall call) {
        waiting.add(new Transaction(changes, call));
        if (!flushDue) {
            flushDue = true;
            loop.execute(() -> {
                flushDue = false;
                flush();
            });
        }
    }

    /** Ends the transactions that were not sent. */
    public void close() {
        closed = true;
        waiting.forEach(transaction -> transaction.call().end(new StoreReply.Failed(Effect.NONE)));
        waiting.clear();
    }

    private void flush() {
        if (inFlight == 0 && !closed) {
            List<Transaction> group = nextGroup();
            if (!group.isEmpty()) {
                send(group);
            }
        }
    }

    /** A group ends before the first name that it has already, because no record can be written twice. */
    private List<Transaction> nextGroup() {
        List<Transaction> group = new ArrayList<>();
        Set<ResourceName> names = new HashSet<>();
        int largest = 0;
        int characters = 0;
        while (!waiting.isEmpty()) {
            Transaction next = waiting.peek();
            List<Change> changes = next.changes();
            largest = Math.max(largest, changes.size());
            characters += next.characters();
            boolean fits = names.size() + changes.size() + largest <= mostChanges
                    && characters <= MOST_CHARACTERS
                    && changes.stream().noneMatch(change -> names.contains(change.name()));
            boolean differs = full && group.stream().anyMatch(other -> other.needsSpace() != next.needsSpace());
            if (!group.isEmpty() && (!fits || differs)) {
                break;
            }
            waiting.remove();
            if (next.call().send(Effect.UNKNOWN)) {
                changes.forEach(change -> names.add(change.name()));
                group.add(next);
            }
        }
        return group;
    }

    private void send(List<Transaction> group) {
        inFlight++;
        sender.send(group.stream().map(Transaction::changes).toList(), outcome -> {
            inFlight--;
            ended(group, outcome);
            flush();
        });
    }

    private void ended(List<Transaction> group, Outcome outcome) {
        if (group.stream().anyMatch(Transaction::needsSpace)) {
            full = outcome.full();
        }
        if (outcome.refused() && group.size() > 1) {
            // For example, the user has no right for one of the names.
            group.stream()
                    .filter(transaction -> transaction.call().send(Effect.UNKNOWN))
                    .forEach(transaction -> send(List.of(transaction)));
            return;
        }
        for (int i = 0; i < group.size(); i++) {
            group.get(i).call().endOnce(outcome.replies().get(i));
        }
    }
}
