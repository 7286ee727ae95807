// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.GroupCommit;
import io.quorumlock.engines.consensus.GroupCommit.Outcome;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.vertx.core.AsyncResult;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The transactions of a member. Those of a group are nested in one, each with its own conditions, so that a conflict concerns one only. */
record Transactions(EtcdMember member, RecordKeys keys, Executor loop) implements GroupCommit.Sender {
    /** The default of {@code --max-txn-ops}. */
    static final int MOST_OPERATIONS = 128;

    private static final int HEADER = 1;
    private static final int REVISION = 3;
    private static final int SUCCEEDED = 2;
    private static final int RESPONSE_TXN = 4;

    @Override
    public void send(List<List<Change>> group, Consumer<Outcome> then) {
        ByteString request = group.size() == 1 ? Requests.transaction(group.get(0), keys) : Requests.group(group, keys);
        member.call(Requests.TXN, request)
                .map(answer -> replies(group, answer))
                .onComplete(replies -> loop.execute(() -> then.accept(outcome(group.size(), replies))));
    }

    private static Outcome outcome(int size, AsyncResult<List<StoreReply>> replies) {
        if (replies.succeeded()) {
            return new Outcome(replies.result(), false, false);
        }
        boolean refused = isRefused(replies, RefusedException::provesNoEffect);
        StoreReply failed = new StoreReply.Failed(refused ? Effect.NONE : Effect.UNKNOWN);
        return new Outcome(
                Collections.nCopies(size, failed), refused, isRefused(replies, RefusedException::isOutOfSpace));
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
