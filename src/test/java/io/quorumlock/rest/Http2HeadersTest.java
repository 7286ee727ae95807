// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.URI;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The size of headers over HTTP/2, which the server limits separately. */
@QuarkusTest
class Http2HeadersTest {
    @TestHTTPResource
    URI service;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));

    @AfterEach
    void close() {
        http.close().toCompletionStage().toCompletableFuture().join();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** As with HTTP/1.1, up to 20 KiB. The client can read the answer to larger ones. */
    @ParameterizedTest
    @CsvSource({"15000, 404", "30000, 431"})
    void limitsHeadersAsHttp1(int bytes, int status) {
        assertEquals(status, get("/locks/" + UUID.randomUUID(), bytes));
    }

    private int get(String path, int headerBytes) {
        return http.request(HttpMethod.GET, service.getPort(), service.getHost(), path)
                .compose(request ->
                        request.putHeader("X-Long", "x".repeat(headerBytes)).send())
                .map(HttpClientResponse::statusCode)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
