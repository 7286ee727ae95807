// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.PolledServer.State;
import io.quorumlock.core.fleet.ServerFailure;
import org.junit.jupiter.api.Test;

class EtcdServerTest {
    /** The ids of members use all 64 bits. */
    private static final long ID = -7_029_133_943_035_952_018L;

    private static final long NOBODY = 0;

    @Test
    void tellsRole() {
        assertEquals(State.of("leader"), EtcdServer.state(status(ID)));
        assertEquals(State.of("follower"), EtcdServer.state(status(1)));
    }

    @Test
    void memberWithoutLeaderIsNotUp() {
        State state = State.of(ServerFailure.NO_LEADER, "the member has no leader");
        assertEquals(state, EtcdServer.state(status(NOBODY)));
        assertEquals(state, EtcdServer.state(Message.parse(ByteString.EMPTY)));
    }

    @Test
    void memberWithoutSpaceIsNotUp() {
        State state = State.of(ServerFailure.MISCONF, "memberID:1 alarm:NOSPACE");
        assertEquals(state, EtcdServer.state(status(ID, "memberID:1 alarm:NOSPACE ")));
    }

    /** It keeps a copy, and no majority needs it. */
    @Test
    void learnerIsNotUp() {
        Message learner =
                Message.parse(status(1).fields().toByteString().concat(Message.of(out -> out.writeBool(10, true))));
        assertEquals(State.of(ServerFailure.LOADING, "a learner, which does not vote"), EtcdServer.state(learner));
    }

    private static Message status(long leader, String... errors) {
        ByteString header = Message.of(out -> out.writeUInt64(2, ID));
        return Message.parse(Message.of(out -> {
            out.writeBytes(1, header);
            out.writeUInt64(4, leader);
            for (String error : errors) {
                out.writeString(8, error);
            }
        }));
    }
}
