// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.GroupCommit.Outcome;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetDataResult;

/** The replies of a store from the results of the client library. */
final class NodeReplies {
    private static final Set<Integer> CONFLICTS = codes(Code.NODEEXISTS, Code.NONODE, Code.BADVERSION, Code.NOTEMPTY);
    /** Only servers return them, before a change. The client library returns others also for calls whose answer was lost. */
    private static final Set<Integer> REFUSALS = codes(
            Code.NOAUTH,
            Code.INVALIDACL,
            Code.QUOTAEXCEEDED,
            Code.BADARGUMENTS,
            Code.UNIMPLEMENTED,
            Code.NOTREADONLY,
            Code.THROTTLEDOP);

    private NodeReplies() {}

    /**
     * Returns the reply to a read.
     *
     * @param results one for each name, also if some nodes do not exist; null if there is no reply
     */
    static StoreReply found(List<ResourceName> names, List<OpResult> results) {
        List<Optional<StoredRecord>> records = new ArrayList<>();
        for (int i = 0; results != null && i < results.size(); i++) {
            OpResult read = results.get(i);
            if (read instanceof GetDataResult node) {
                records.add(Optional.of(NodeChange.read(names.get(i), node.getData(), node.getStat())));
            } else if (read instanceof ErrorResult error && error.getErr() == Code.NONODE.intValue()) {
                records.add(Optional.empty());
            }
        }
        return records.size() == names.size() ? new StoreReply.Found(records) : new StoreReply.Failed(Effect.NONE);
    }

    /**
     * Returns the outcome of a group of transactions, of which the store makes all or none.
     *
     * @param code of the result, which the client library may not know
     */
    static Outcome committed(int code, List<List<NodeChange>> group, List<OpResult> results) {
        if (code == Code.OK.intValue()) {
            Iterator<OpResult> all = results.iterator();
            return new Outcome(
                    group.stream().map(changes -> committed(changes, all)).toList(), false, false);
        }
        boolean conflict = CONFLICTS.contains(code);
        boolean refused = conflict || REFUSALS.contains(code);
        StoreReply reply =
                conflict ? StoreReply.Conflict.UNTOLD : new StoreReply.Failed(refused ? Effect.NONE : Effect.UNKNOWN);
        return new Outcome(Collections.nCopies(group.size(), reply), refused, false);
    }

    private static StoreReply committed(List<NodeChange> changes, Iterator<OpResult> all) {
        List<StoredRecord> written = new ArrayList<>();
        for (NodeChange change : changes) {
            List<OpResult> own =
                    change.operations().stream().map(operation -> all.next()).toList();
            change.written(own).ifPresent(written::add);
        }
        return new StoreReply.Committed(written);
    }

    private static Set<Integer> codes(Code... codes) {
        return Stream.of(codes).map(Code::intValue).collect(Collectors.toSet());
    }
}
