// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** An HTTP/2 client that keeps thousands of requests in flight on few connections and can reset each of them. */
public final class StreamClient implements AutoCloseable {
    private static final int REQUESTS_A_CONNECTION = 100;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient http;
    private final URI base;

    /** A complete answer. */
    public record Answer(int status, JsonObject body) {
        public String token() {
            return body.getString("token");
        }

        /** Returns the last path segment of the problem's type. */
        public String problem() {
            return body.getString("type", "").replace("/problems/", "");
        }
    }

    /** @param most maximum number of requests in flight */
    public StreamClient(URI base, int most) {
        this(base, most, Http2Settings.DEFAULT_INITIAL_WINDOW_SIZE);
    }

    /** @param window number of bytes of each answer that the server may send before they are read */
    public StreamClient(URI base, int most, int window) {
        this.base = base;
        this.http = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(window))
                .setHttp2MultiplexingLimit(REQUESTS_A_CONNECTION)
                .setHttp2MaxPoolSize(most / REQUESTS_A_CONNECTION + 1)
                .setMaxWaitQueueSize(-1));
    }

    /** Creates a request. The caller sends or resets it. */
    public Future<HttpClientRequest> open(HttpMethod method, String path) {
        return http.request(method, base.getPort(), base.getHost(), path);
    }

    public Future<Answer> acquire(String resource, int ttlMs, int waitMs) {
        return open(HttpMethod.POST, "/locks/" + resource + "?ttlMs=" + ttlMs + "&waitMs=" + waitMs)
                .compose(HttpClientRequest::send)
                .compose(StreamClient::whole);
    }

    public Future<Answer> release(String resource, String token) {
        return open(HttpMethod.DELETE, "/locks/" + resource)
                .compose(request -> request.putHeader("Lock-Token", token).send())
                .compose(StreamClient::whole);
    }

    /** Sends a request, or only its beginning, and resets it after some milliseconds. */
    public void resetAfter(HttpClientRequest request, boolean unfinished, int millis) {
        request.exceptionHandler(reset -> {});
        if (unfinished) {
            request.setChunked(true).write("{\"ttlMs\":");
        } else {
            request.send();
        }
        if (millis == 0) {
            request.reset();
        } else {
            vertx.setTimer(millis, timer -> request.reset());
        }
    }

    /** Sends a request, reads the first part of its answer, resets it, and returns the status. */
    public static Future<Integer> resetHalfWay(HttpClientRequest request) {
        request.exceptionHandler(reset -> {});
        return request.send().compose(response -> {
            Promise<Integer> begun = Promise.promise();
            response.exceptionHandler(begun::tryFail);
            response.handler(part -> {
                request.reset();
                begun.tryComplete(response.statusCode());
            });
            return begun.future();
        });
    }

    private static Future<Answer> whole(HttpClientResponse response) {
        return response.body()
                .map(body ->
                        new Answer(response.statusCode(), body.length() == 0 ? new JsonObject() : body.toJsonObject()));
    }

    @Override
    public void close() {
        try {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
