// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.etcd.EtcdSettings.Login;
import io.quorumlock.fleet.PolledServer;
import io.quorumlock.fleet.ServerFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.parsetools.JsonParser;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One member of the cluster, over HTTP. A call without an answer fails when the member is closed. */
final class EtcdMember implements PolledServer {
    private static final int MOST_CONNECTIONS = 128;
    private static final int OK = 200;
    private static final String FORBIDDEN = "status 403";
    /** The gateway leaves out a zero. */
    private static final String NOBODY = "0";

    private final MemberAddress address;
    private final Duration timeout;
    private final Optional<Login> login;
    private final HttpClient http;
    private Optional<String> token = Optional.empty();

    EtcdMember(MemberAddress address, EtcdSettings settings, Vertx vertx) {
        this.address = address;
        this.timeout = settings.timeout();
        this.login = settings.login();
        this.http = vertx.createHttpClient(new HttpClientOptions(settings.options())
                .setSsl(address.isEncrypted())
                .setMaxPoolSize(MOST_CONNECTIONS));
    }

    @Override
    public String address() {
        return address.toString();
    }

    @Override
    public CompletionStage<State> ask() {
        return login().compose(loggedIn -> post("/v3/maintenance/status", new JsonObject()))
                .map(EtcdMember::state)
                .recover(EtcdMember::withoutRight)
                .onFailure(perhapsLoginEnded -> token = Optional.empty())
                .toCompletionStage();
    }

    /** With authentication, new versions tell the state to the user root only. A refusal still proves contact. */
    private static Future<State> withoutRight(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith(FORBIDDEN)
                ? Future.succeededFuture(
                        new State(Optional.empty(), Optional.empty(), Optional.of("the user may not read the state")))
                : Future.failedFuture(failure);
    }

    /** Understands the status. A member without space refuses to write, and with it the whole cluster. */
    static State state(JsonObject status) {
        String leader = status.getString("leader", NOBODY);
        JsonArray errors = status.getJsonArray("errors", new JsonArray());
        if (leader.equals(NOBODY)) {
            return State.of(ServerFailure.NO_LEADER, "the member has no leader");
        } else if (!errors.isEmpty()) {
            return State.of(ServerFailure.MISCONF, errors.getString(0).strip());
        }
        boolean leads = leader.equals(status.getJsonObject("header").getString("member_id"));
        return State.of(leads ? "leader" : "follower");
    }

    /** Logs in for all later calls, if there are passwords and no earlier login. */
    Future<Void> login() {
        return token.isPresent()
                ? Future.succeededFuture()
                : login.map(this::login).orElseGet(Future::succeededFuture);
    }

    private Future<Void> login(Login login) {
        JsonObject body = new JsonObject().put("name", login.user()).put("password", login.password());
        return post("/v3/auth/authenticate", body).map(answer -> {
            token = Optional.of(answer.getString("token"));
            return null;
        });
    }

    /** Sends a call, and returns the body of the answer; a failure for any status but 200. */
    Future<JsonObject> post(String path, JsonObject body) {
        return request(options(path).setTimeout(timeout.toMillis()))
                .compose(request -> request.send(body.toBuffer()))
                .compose(response -> response.body()
                        .compose(answer -> response.statusCode() == OK
                                ? Future.succeededFuture(answer.toJsonObject())
                                : Future.failedFuture(new IOException(reason(response, answer.toString())))));
    }

    /**
     * Begins a watch. Its messages arrive in order.
     *
     * @param end called once when the watch ends, with the reason
     */
    void watch(JsonObject body, Consumer<JsonObject> message, Consumer<String> end) {
        request(options("/v3/watch"))
                .compose(request -> request.send(body.toBuffer()))
                .onSuccess(response -> JsonParser.newParser(response)
                        .objectValueMode()
                        .handler(event -> message.accept(event.objectValue()))
                        .exceptionHandler(failure -> end.accept(String.valueOf(failure.getMessage())))
                        .endHandler(ended -> end.accept("the member ended the watch")))
                .onFailure(failure -> end.accept(String.valueOf(failure.getMessage())));
    }

    private RequestOptions options(String path) {
        return new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(address.port(), address.host()))
                .setHost(address.bracketedHost())
                .setPort(address.port())
                .setURI(path);
    }

    private Future<HttpClientRequest> request(RequestOptions options) {
        token.ifPresent(value -> options.putHeader("Authorization", value));
        return http.request(options);
    }

    private static String reason(HttpClientResponse response, String body) {
        return "status " + response.statusCode() + " " + body.strip();
    }

    void close() {
        http.close();
    }
}
