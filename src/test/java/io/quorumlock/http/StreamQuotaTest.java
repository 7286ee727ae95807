// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A key with a quota of one event stream or session (R14). */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class StreamQuotaTest {

    @TestHTTPResource
    URI service;

    @ParameterizedTest
    @CsvSource({
        "GET, /events, POST, /sessions/quota/a, too-many-sessions",
        "GET, /events?name=quota/a, GET, /events, too-many-streams",
        "POST, /sessions/quota/a, GET, /events?name=quota/b, too-many-streams",
        "POST, /sessions/quota/c, POST, /sessions/quota/d, too-many-sessions"
    })
    void limitsStreamsAndSessionsTogether(String method, String path, String otherMethod, String otherPath, String slug)
            throws IOException {
        try (Socket first = openWhenFree(method, path)) {
            RawAnswer second = new RawHttp(service).send(request(otherMethod, otherPath));
            assertEquals("429 " + slug, second.status() + " " + second.slug());
            assertEquals("5", second.header("Retry-After"));
            assertTrue(first.isConnected());
        }
        // The lock of the first session may still be held.
        openWhenFree(method, path.replace("quota/", "quota/after/")).close();
    }

    /** Opens a stream as soon as the place of an earlier one is free. */
    private Socket openWhenFree(String method, String path) {
        AtomicReference<Socket> opened = new AtomicReference<>();
        Eventually.holds("a free place", () -> {
            try {
                Socket socket = new Socket(service.getHost(), service.getPort());
                socket.getOutputStream().write(request(method, path).wire());
                String status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                if (!status.equals("HTTP/1.1 200")) {
                    socket.close();
                    return false;
                }
                opened.set(socket);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        return opened.get();
    }

    private static RawRequest request(String method, String path) {
        RawRequest request = method.equals("GET") ? RawRequest.get(path) : RawRequest.post(path + "?ttlMs=6000");
        return request.header("Authorization", bearer("reader"));
    }
}
