// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.StreamClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Answers to requests whose body the service does not read. They reach clients that first send the whole body, quickly or slowly,
 * and the connection serves the next request.
 */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class EarlyAnswersTest {
    private static final int LARGE = 4_000_000;
    private static final int PARTS = 20;
    private static final int PART = 1_000;
    /** The quota of a key is one request in a second. */
    private static final int TRIES = 50;

    @TestHTTPResource
    URI service;

    @ParameterizedTest
    @CsvSource({
        "POST, /locks/early//a, all, 400, invalid-resource",
        "POST, /locks/early/a, unknown, 401, unauthorized",
        "PUT, /locks/early/a/fence, all, 405, method-not-allowed",
        "POST, /locks/early/a, all, 413, body-too-large",
        "DELETE, /locks/early/a, all, 413, body-too-large",
        "GET, /nodes, all, 413, body-too-large",
        "LOCK, /terraform/early, all, 413, body-too-large",
        "GET, /locks/early/a, slow, 429, too-many-requests"
    })
    void deliversAnswersToBodiesOfAnnouncedSize(String method, String path, String key, int status, String slug) {
        delivers(new Request(method, path, key, true), status, slug);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /locks/early//a, all, 400, invalid-resource",
        "POST, /locks/early/a, unknown, 401, unauthorized",
        "GET, /locks/early/a, acquire, 403, forbidden",
        "GET, /locks/early/a, all, 404, lease-not-found",
        "POST, /early, all, 404, not-found",
        "PUT, /locks/early/a, all, 405, method-not-allowed",
        "PUT, /locks/early/a/fence, all, 405, method-not-allowed",
        "POST, /locks/early/a, all, 413, body-too-large",
        "LOCK, /terraform/early, all, 413, body-too-large",
        "GET, /locks/early/a, slow, 429, too-many-requests"
    })
    void deliversAnswersToBodiesOfUnknownSize(String method, String path, String key, int status, String slug) {
        delivers(new Request(method, path, key, false), status, slug);
    }

    private void delivers(Request request, int status, String slug) {
        String expected = status + " " + slug;
        for (Sender sender : List.<Sender>of(this::sendAtOnce, this::sendInParts, this::sendOverHttp2)) {
            String answer = sender.send(request);
            for (int tries = 1; status == 429 && tries < TRIES && !answer.equals(expected); tries++) {
                answer = sender.send(request);
            }
            assertEquals(expected, answer);
        }
    }

    /** A client that expects 100 sends no body if it gets another answer. */
    @Test
    void answersBeforeBody() {
        Request request = new Request("POST", "/locks/early/a", "all", true);
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(request.head(LARGE, "Expect: 100-continue\r\n"));
            assertEquals("413 body-too-large", text(connection.read()));
        }
    }

    @Test
    void answersAfterFirstByteThatIsTooMuch() {
        Request request = new Request("POST", "/locks/early/a", "all", false);
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(request.head(0, "") + request.part(16 * 1024 + 1));
            assertEquals("413 body-too-large", text(connection.read()));
            connection.write(request.part(LARGE) + request.end() + "GET /q/health/live HTTP/1.1\r\nHost: test\r\n\r\n");
            assertEquals(200, connection.read().status());
        }
    }

    private String sendAtOnce(Request request) {
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(request.head(LARGE, ""));
            connection.write(request.part(LARGE) + request.end());
            return answer(connection);
        }
    }

    /** An answer to another client between two parts makes sure that the service has handled the first one. */
    private String sendInParts(Request request) {
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(request.head(PARTS * PART, ""));
            for (int sent = 0; sent < PARTS; sent++) {
                connection.write(request.part(PART));
                new RawHttp(service).send(RawRequest.get("/q/health/live"));
            }
            connection.write(request.end());
            return answer(connection);
        }
    }

    /** Also reads the answer to a second request, which the service finds only behind the whole body. */
    private static String answer(RawConnection connection) {
        String first = text(connection.read());
        connection.write("GET /q/health/live HTTP/1.1\r\nHost: test\r\n\r\n");
        assertEquals(200, connection.read().status());
        return first;
    }

    private static String text(RawAnswer answer) {
        return answer.status() + " " + answer.slug();
    }

    /** Another request of the connection is not disturbed. */
    private String sendOverHttp2(Request request) {
        try (StreamClient client = new StreamClient(service, 1)) {
            HttpClientRequest other = await(client.open(HttpMethod.GET, "/q/health/live"));
            HttpClientRequest sent = await(client.open(HttpMethod.valueOf(request.method), request.path));
            assertEquals(other.connection(), sent.connection());
            sent.putHeader(HttpHeaders.AUTHORIZATION, bearer(request.key));
            if (request.announced) {
                sent.putHeader(HttpHeaders.CONTENT_LENGTH, "" + LARGE);
            } else {
                sent.setChunked(true);
            }
            Future<String> answer = sent.response()
                    .compose(response -> response.body().map(body -> response.statusCode() + " " + slug(body)));
            await(sent.write(Buffer.buffer(" ".repeat(LARGE / 2))));
            await(sent.end(Buffer.buffer(" ".repeat(LARGE / 2))));
            String first = await(answer);
            assertEquals(200, await(other.send()).statusCode());
            return first;
        }
    }

    private static String slug(Buffer body) {
        return body.toJsonObject().getString("type").replace("/problems/", "");
    }

    private static <T> T await(Future<T> future) {
        return RealLoop.await(future.toCompletionStage().toCompletableFuture());
    }

    /** A way to send a request with a body. Returns the status and the problem of its answer. */
    private interface Sender {
        String send(Request request);
    }

    /** @param announced whether the size of the body is announced, and the body not chunked */
    private record Request(String method, String path, String key, boolean announced) {

        String head(int length, String more) {
            return method + " " + path + " HTTP/1.1\r\nHost: test\r\nAuthorization: " + bearer(key) + "\r\n" + more
                    + (announced ? "Content-Length: " + length : "Transfer-Encoding: chunked") + "\r\n\r\n";
        }

        String part(int length) {
            String content = " ".repeat(length);
            return announced ? content : Integer.toHexString(length) + "\r\n" + content + "\r\n";
        }

        String end() {
            return announced ? "" : "0\r\n\r\n";
        }
    }
}
