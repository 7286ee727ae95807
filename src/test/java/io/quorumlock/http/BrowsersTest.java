// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of other sites cannot use the service through the browser of somebody who can reach it. */
@QuarkusTest
class BrowsersTest {
    @TestHTTPResource
    URI service;

    private final String path = "/locks/browsers/" + UUID.randomUUID();

    @ParameterizedTest
    @CsvSource({
        "Origin, https://evil.example",
        "Origin, http://test:8080",
        "Origin, http://test.evil.example",
        "Origin, null",
        "Origin, ''",
        "Origin, http://[",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site"
    })
    void rejectsRequestsOfOtherPages(String header, String value) {
        for (RawRequest request : List.of(
                RawRequest.post(path).header("Content-Type", "text/plain"),
                RawRequest.delete(path + "?force=true&reason=test"),
                RawRequest.post("/sessions/browsers"),
                RawRequest.get("/locks"),
                RawRequest.get("/events"),
                RawRequest.get("/nodes"),
                RawRequest.of("OPTIONS", path))) {
            RawAnswer answer = send(request.header(header, value));
            assertEquals("403 cross-origin", answer.status() + " " + answer.slug(), request::toString);
        }
        assertEquals(
                404, send(RawRequest.delete(path + "?force=true&reason=test")).status(), "no lock was taken");
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://test",
        "Origin, http://TEST:80",
        "Origin, https://test",
        "Sec-Fetch-Site, same-origin",
        "Sec-Fetch-Site, none"
    })
    void acceptsRequestsOfOwnPages(String header, String value) {
        assertEquals(201, send(RawRequest.post(path).header(header, value)).status());
    }

    /** DNS rebinding: the page has its own name for an address of this network, so that its origin is that of the service. */
    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "svc.evil.example", "evil.svc."})
    void rejectsUnknownHostNames(String host) {
        RawAnswer answer = send(to(host, "GET", "/locks"));
        assertEquals("421 unknown-host", answer.status() + " " + answer.slug());
        assertEquals(421, send(to(host, "POST", path)).status());
        assertEquals(200, send(to(host, "GET", "/q/health/live")).status());
        assertEquals(200, send(to(host, "GET", "/openapi.yaml")).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8080",
                "LOCALHOST",
                "dev.localhost",
                "127.0.0.1:8080",
                "10.1.2.3",
                "[::1]:8080",
                "quorumlock",
                "quorumlock.locks.svc",
                "quorumlock.locks.svc.cluster.local:8080",
                "locks.example.com"
            })
    void acceptsKnownHostNames(String host) {
        assertEquals(200, send(to(host, "GET", "/locks")).status());
    }

    @Test
    void rejectsTwoHosts() {
        assertEquals(
                400, send(RawRequest.get("/locks").header("Host", "localhost")).status());
    }

    private RawAnswer send(RawRequest request) {
        return new RawHttp(service).send(request);
    }

    private static RawRequest to(String host, String method, String path) {
        return new RawRequest(method, path, List.of("Host: " + host, "Connection: close"), new byte[0]);
    }
}
