// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.quorumlock.core.fleet.Login;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.fleet.StoreMajority.Identity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The connection with one member, over gRPC. It reads the certificates when it begins, and fails all calls without an answer
 * when it is closed.
 */
final class EtcdMember {
    /** Reports come in parts of 2 MB, unless {@code --max-request-bytes} is larger. */
    private static final long LONGEST_MESSAGE = 64L << 20;

    private static final int TOKEN = 2;

    // Fields of every answer, and of its header.
    private static final int HEADER = 1;
    private static final int CLUSTER_ID = 1;
    private static final int MEMBER_ID = 2;

    private final MemberAddress address;
    private final StoreMajority majority;
    private final long timeoutMillis;
    private final Optional<Login> login;
    private final GrpcClient client;
    /** The token of the user; empty without a user. Failed before the first login. */
    private Future<Optional<String>> token = Future.failedFuture("not logged in");

    /** @param majority learns to which cluster the member belongs */
    EtcdMember(MemberAddress address, EtcdSettings settings, StoreMajority majority, Vertx vertx) {
        this.address = address;
        this.majority = majority;
        this.timeoutMillis = settings.timeout().toMillis();
        this.login = settings.login();
        this.client = GrpcClient.client(
                vertx,
                new GrpcClientOptions()
                        .setMaxMessageSize(LONGEST_MESSAGE)
                        .setTransportOptions(new HttpClientOptions(settings.options())
                                .setHttp2ClearTextUpgrade(false)
                                .setSsl(address.isEncrypted())
                                .setUseAlpn(address.isEncrypted())));
    }

    MemberAddress address() {
        return address;
    }

    /**
     * Sends a call. Fails without an answer in time, and with a {@link RefusedException} if the member refuses it. A call
     * that is refused because its login is over had no effect, so it is sent again after a new login.
     */
    Future<Message> call(String method, ByteString request) {
        Future<Optional<String>> first = token();
        return first.compose(known -> send(method, request, known)).recover(failure -> {
            if (login.isEmpty() || !(failure instanceof RefusedException refused && refused.needsLogin())) {
                return Future.failedFuture(failure);
            }
            if (token == first) {
                token = login(login.get());
            }
            return token.compose(renewed -> send(method, request, renewed));
        });
    }

    /** Returns the token, after a login if there is none. */
    private Future<Optional<String>> token() {
        if (token.failed()) {
            token = login.map(this::login).orElseGet(() -> Future.succeededFuture(Optional.empty()));
        }
        return token;
    }

    private Future<Optional<String>> login(Login user) {
        return send(Requests.AUTHENTICATE, Requests.login(user), Optional.empty())
                .map(answer -> Optional.of(answer.text(TOKEN)));
    }

    private Future<Message> send(String method, ByteString request, Optional<String> user) {
        return open(method, user)
                .compose(call -> call.idleTimeout(timeoutMillis).send(buffer(request)))
                .compose(EtcdMember::answer)
                .map(this::accept)
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private Future<GrpcClientRequest<Buffer, Buffer>> open(String method, Optional<String> user) {
        return client.request(SocketAddress.inetSocketAddress(address.port(), address.host()))
                .onSuccess(call -> {
                    // The caller learns of a failure. The library would log it too, some without a message.
                    call.exceptionHandler(failure -> {}).connection().exceptionHandler(failure -> {});
                    call.fullMethodName(method);
                    user.ifPresent(value -> call.headers().set("token", value));
                });
    }

    /**
     * Returns an answer of the cluster that this replica uses. A member that lost its disk may have become a cluster of its
     * own, and then fails all calls. A proxy may leave out the ids.
     */
    private Message accept(Message answer) {
        Message header = answer.message(HEADER);
        long cluster = header.number(CLUSTER_ID);
        if (cluster != 0) {
            majority.told(
                    address.toString(),
                    new Identity(Long.toHexString(cluster), Long.toHexString(header.number(MEMBER_ID))));
        }
        majority.otherStore(address.toString()).ifPresent(reason -> {
            throw new VertxException(reason, true);
        });
        return answer;
    }

    private static Future<Message> answer(GrpcClientResponse<Buffer, Buffer> response) {
        return response.last()
                .map(EtcdMember::message)
                .recover(failure -> Future.failedFuture(refusal(response).orElse(failure)));
    }

    private static Optional<Throwable> refusal(GrpcClientResponse<Buffer, Buffer> response) {
        return Optional.ofNullable(response.status())
                .filter(status -> status != GrpcStatus.OK)
                .map(status -> new RefusedException(status, response.statusMessage()));
    }

    /**
     * Begins a watch. Its messages arrive in order.
     *
     * @param end called when the watch ends, with the reason
     */
    void watch(ByteString request, Consumer<Message> message, Consumer<String> end) {
        Consumer<Throwable> fail = failure -> end.accept(String.valueOf(failure.getMessage()));
        token().compose(user -> open(Requests.WATCH, user))
                .compose(call -> {
                    call.exceptionHandler(fail::accept).write(buffer(request));
                    return call.response();
                })
                .onSuccess(response -> response.handler(body -> message.accept(accept(message(body))))
                        .errorHandler(reset -> end.accept("the member ended the watch: " + reset))
                        .exceptionHandler(fail::accept)
                        .endHandler(ended -> end.accept("the member ended the watch")))
                .onFailure(fail::accept);
    }

    private static Buffer buffer(ByteString message) {
        return Buffer.buffer(message.toByteArray());
    }

    private static Message message(Buffer body) {
        return Message.parse(UnsafeByteOperations.unsafeWrap(body.getBytes()));
    }

    void close() {
        client.close();
    }
}
