// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreCall;
import io.quorumlock.engines.consensus.StoreReply;
import io.vertx.core.AsyncResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The transactions of one connection. One request is in flight. The transactions that wait meanwhile are nested in the next
 * one, each with its own conditions, so that a conflict does not concern the others. None is sent again (R8), except after the
 * member refused the group as a whole, and so made no change.
 *
 * <p>All state is confined to the event loop.
 */
final class GroupCommit {
    /** The default of {@code --max-txn-ops}: so many changes a group may have, together with its largest transaction. */
    private static final int MOST_OPERATIONS = 128;

    private static final int HEADER = 1;
    private static final int REVISION = 3;
    private static final int SUCCEEDED = 2;
    private static final int RESPONSE_TXN = 4;

    private final EtcdMember member;
    private final RecordKeys keys;
    private final Executor loop;
    private final Deque<Transaction> waiting = new ArrayDeque<>();
    private int inFlight;
    /** Whether there was no space for the last write. Deletes need none, and are not sent together with writes then. */
    private boolean full;

    private boolean flushDue;
    private boolean closed;

    private record Transaction(List<Change> changes, StoreCall call) {
        boolean needsSpace() {
            return changes.stream().anyMatch(change -> change.text().isPresent());
        }
    }

    GroupCommit(EtcdMember member, RecordKeys keys, Executor loop) {
        this.member = member;
        this.keys = keys;
        this.loop = loop;
    }

    /** Makes all changes or none. All that are called in one turn of the event loop are sent together. */
    void commit(List<Change> changes, StoreCall call) {
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
    void close() {
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

    /** A group ends before the first name that it has already, because no key can be written twice. */
    private List<Transaction> nextGroup() {
        List<Transaction> group = new ArrayList<>();
        Set<ResourceName> names = new HashSet<>();
        int largest = 0;
        while (!waiting.isEmpty()) {
            Transaction next = waiting.peek();
            List<Change> changes = next.changes();
            largest = Math.max(largest, changes.size());
            boolean fits = names.size() + changes.size() + largest <= MOST_OPERATIONS
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
        List<List<Change>> changes = group.stream().map(Transaction::changes).toList();
        ByteString request =
                group.size() == 1 ? Requests.transaction(changes.get(0), keys) : Requests.group(changes, keys);
        member.call(Requests.TXN, request)
                .map(answer -> replies(changes, answer))
                .onComplete(replies -> loop.execute(() -> {
                    inFlight--;
                    ended(group, replies);
                    flush();
                }));
    }

    private void ended(List<Transaction> group, AsyncResult<List<StoreReply>> replies) {
        if (group.stream().anyMatch(Transaction::needsSpace)) {
            full = isRefused(replies, RefusedException::isOutOfSpace);
        }
        boolean refused = isRefused(replies, RefusedException::provesNoEffect);
        if (refused && group.size() > 1) {
            // For example, the user has no right for one of the keys.
            group.forEach(transaction -> send(List.of(transaction)));
            return;
        }
        StoreReply failed = new StoreReply.Failed(refused ? Effect.NONE : Effect.UNKNOWN);
        for (int i = 0; i < group.size(); i++) {
            group.get(i).call().end(replies.succeeded() ? replies.result().get(i) : failed);
        }
    }

    private static boolean isRefused(AsyncResult<?> replies, Predicate<RefusedException> how) {
        return replies.cause() instanceof RefusedException refusal && how.test(refusal);
    }

    private static List<StoreReply> replies(List<List<Change>> group, Message answer) {
        long revision = answer.message(HEADER).number(REVISION);
        if (group.size() == 1) {
            return List.of(reply(group.get(0), answer, revision));
        }
        List<Message> nested = answer.messages(RecordKeys.RESPONSES);
        return IntStream.range(0, group.size())
                .mapToObj(i -> reply(group.get(i), nested.get(i).message(RESPONSE_TXN), revision))
                .toList();
    }

    private static StoreReply reply(List<Change> changes, Message answer, long revision) {
        if (!answer.isTrue(SUCCEEDED)) {
            List<ResourceName> names = changes.stream().map(Change::name).toList();
            return new StoreReply.Conflict(RecordKeys.found(names, answer));
        }
        return new StoreReply.Committed(changes.stream()
                .flatMap(change -> change.text().map(text -> RecordKeys.record(change.name(), text, revision)).stream())
                .toList());
    }
}
