// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.engines.consensus.GroupCommit;
import io.quorumlock.engines.consensus.StoreReply;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeRepliesTest {
    private static final int UNKNOWN_CODE = -999;

    @ParameterizedTest
    @EnumSource(names = {"NODEEXISTS", "NONODE", "BADVERSION", "NOTEMPTY"})
    void recordThatChangedIsConflict(Code code) {
        assertEquals(StoreReply.Conflict.UNTOLD, notCommitted(code.intValue()));
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "NOAUTH",
                "INVALIDACL",
                "QUOTAEXCEEDED",
                "BADARGUMENTS",
                "UNIMPLEMENTED",
                "NOTREADONLY",
                "THROTTLEDOP"
            })
    void refusalProvesNoEffect(Code code) {
        assertEquals(new StoreReply.Failed(Effect.NONE), notCommitted(code.intValue()));
    }

    /** The client library returns the last two for calls in flight, too, when a session ends. */
    @ParameterizedTest
    @EnumSource(names = {"CONNECTIONLOSS", "OPERATIONTIMEOUT", "SYSTEMERROR", "SESSIONEXPIRED", "AUTHFAILED"})
    void lostAnswerProvesNothing(Code code) {
        assertEquals(new StoreReply.Failed(Effect.UNKNOWN), notCommitted(code.intValue()));
    }

    @Test
    void unknownCodeProvesNothing() {
        assertEquals(new StoreReply.Failed(Effect.UNKNOWN), notCommitted(UNKNOWN_CODE));
        assertEquals(
                "error -999 for /path", NodeCalls.failure(UNKNOWN_CODE, "/path").getMessage());
    }

    private static StoreReply notCommitted(int code) {
        GroupCommit.Outcome outcome = NodeReplies.committed(code, List.of(List.of()), List.of());
        assertEquals(!outcome.replies().equals(List.of(new StoreReply.Failed(Effect.UNKNOWN))), outcome.refused());
        return outcome.replies().get(0);
    }
}
