// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.fleet.PolledServer.State;
import io.quorumlock.fleet.ServerFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class EtcdMemberTest {
    /** The ids of members use all 64 bits. */
    private static final String ID = "11417610130673999598";

    @Test
    void tellsRole() {
        assertEquals(State.of("leader"), EtcdMember.state(status(ID)));
        assertEquals(State.of("follower"), EtcdMember.state(status("1")));
    }

    @Test
    void memberWithoutLeaderIsNotUp() {
        State state = State.of(ServerFailure.NO_LEADER, "the member has no leader");
        assertEquals(state, EtcdMember.state(status("0")));
        JsonObject zeroLeftOut = new JsonObject().put("header", new JsonObject());
        assertEquals(state, EtcdMember.state(zeroLeftOut));
    }

    @Test
    void memberWithoutSpaceIsNotUp() {
        JsonObject status = status(ID).put("errors", new JsonArray().add("memberID:1 alarm:NOSPACE "));
        assertEquals(State.of(ServerFailure.MISCONF, "memberID:1 alarm:NOSPACE"), EtcdMember.state(status));
    }

    private static JsonObject status(String leader) {
        return new JsonObject()
                .put("header", new JsonObject().put("member_id", ID))
                .put("leader", leader);
    }
}
