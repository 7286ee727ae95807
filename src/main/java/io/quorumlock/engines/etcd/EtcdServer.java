// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.PolledServer;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.StoreMajority;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A member that is asked for its state. After a failure a new connection is used, because certificates may be new. */
final class EtcdServer implements PolledServer {
    private static final int HEADER = 1;
    private static final int MEMBER_ID = 2;
    private static final int LEADER = 4;
    private static final int ERRORS = 8;
    private static final int IS_LEARNER = 10;

    private final MemberAddress address;
    private final EtcdSettings settings;
    private final StoreMajority majority;
    private final Vertx vertx;
    private volatile EtcdMember member;

    EtcdServer(MemberAddress address, EtcdSettings settings, StoreMajority majority, Vertx vertx) {
        this.address = address;
        this.settings = settings;
        this.majority = majority;
        this.vertx = vertx;
        this.member = connect();
    }

    private EtcdMember connect() {
        return new EtcdMember(address, settings, majority, vertx);
    }

    @Override
    public String address() {
        return address.toString();
    }

    @Override
    public CompletionStage<State> ask() {
        EtcdMember asked = member;
        return asked.call(Requests.STATUS, ByteString.EMPTY)
                .map(EtcdServer::state)
                .recover(EtcdServer::withoutRight)
                .onFailure(lost -> {
                    if (asked == member) {
                        asked.close();
                        member = connect();
                    }
                })
                .toCompletionStage();
    }

    @Override
    public Optional<String> refusal() {
        return majority.refusal(address());
    }

    /** With authentication, new versions tell the state to the user root only. A refusal still proves contact. */
    private static Future<State> withoutRight(Throwable failure) {
        return failure instanceof RefusedException refused && refused.isForbidden()
                ? Future.succeededFuture(
                        new State(Optional.empty(), Optional.empty(), Optional.of("the user may not read the state")))
                : Future.failedFuture(failure);
    }

    /** Understands the status. A member without space refuses to write, and with it the whole cluster. */
    static State state(Message status) {
        long leader = status.number(LEADER);
        List<String> errors = status.texts(ERRORS);
        if (leader == 0) {
            return State.of(ServerFailure.NO_LEADER, "the member has no leader");
        } else if (!errors.isEmpty()) {
            return State.of(ServerFailure.MISCONF, errors.get(0).strip());
        } else if (status.isTrue(IS_LEARNER)) {
            return State.of(ServerFailure.LOADING, "a learner, which does not vote");
        }
        return State.of(leader == status.message(HEADER).number(MEMBER_ID) ? "leader" : "follower");
    }

    void close() {
        member.close();
    }
}
