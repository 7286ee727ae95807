// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.testing.RealLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A member that answers as a test says. */
final class FakeMember {
    private static final int PREFIX_SIZE = 5;

    final MemberAddress address;
    /** The methods of all calls, in order. */
    final List<String> methods = new CopyOnWriteArrayList<>();

    private final Behavior behavior;

    /** Answers a call, on the event loop of the server. */
    interface Behavior {
        Reply reply(String method, Message request, Optional<String> token);
    }

    /**
     * The reply to a call.
     *
     * @param frames the messages as they are sent
     * @param status empty if the call does not end
     */
    record Reply(Buffer frames, Optional<String> status, String reason) {
        static final Reply NONE = new Reply(Buffer.buffer(), Optional.empty(), "");

        static Reply of(ByteString message) {
            return of(1, 1, message);
        }

        /** Returns a reply with the ids of a cluster and a member. */
        static Reply of(long cluster, long member, ByteString message) {
            return new Reply(frame(header(cluster, member).concat(message)), Optional.of("0"), "");
        }

        static Reply refused(int status, String reason) {
            return new Reply(Buffer.buffer(), Optional.of(Integer.toString(status)), reason);
        }

        /** The reply of a watch that begins. */
        static Reply created(long cluster, long member) {
            ByteString created = Message.of(out -> out.writeBool(3, true));
            return new Reply(frame(header(cluster, member).concat(created)), Optional.empty(), "");
        }

        private static ByteString header(long cluster, long member) {
            ByteString ids = Message.of(out -> {
                out.writeUInt64(1, cluster);
                out.writeUInt64(2, member);
            });
            return Message.of(out -> out.writeBytes(1, ids));
        }

        private static Buffer frame(ByteString message) {
            return Buffer.buffer()
                    .appendByte((byte) 0)
                    .appendInt(message.size())
                    .appendBytes(message.toByteArray());
        }
    }

    FakeMember(RealLoop loop, Behavior behavior) {
        this.behavior = behavior;
        this.address = MemberAddress.of(loop.serve(this::answer).toString());
    }

    private void answer(RoutingContext call) {
        call.request().handler(body -> {
            String method = call.request().path().substring(1);
            methods.add(method);
            Message request = Message.parse(ByteString.copyFrom(body.getBytes(PREFIX_SIZE, body.length())));
            send(
                    call.response(),
                    behavior.reply(
                            method, request, Optional.ofNullable(call.request().getHeader("token"))));
        });
    }

    private static void send(HttpServerResponse response, Reply reply) {
        response.setChunked(true).putHeader("content-type", "application/grpc").write(reply.frames());
        reply.status().ifPresent(status -> response.putTrailer("grpc-status", status)
                .putTrailer("grpc-message", reply.reason())
                .end());
    }
}
