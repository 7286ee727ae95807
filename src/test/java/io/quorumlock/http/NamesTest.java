// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Unusual but valid names. Each denotes one lock, in every encoding. */
@QuarkusTest
class NamesTest {
    @TestHTTPResource
    URI service;

    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of("names/a", "names/a"),
                Arguments.of("names%2Fb", "names/b"),
                Arguments.of("names%252Fb", "names%2Fb"),
                Arguments.of("names/a+b", "names/a+b"),
                Arguments.of("names/a%2bc", "names/a+c"),
                Arguments.of("names/a%20b", "names/a b"),
                Arguments.of("names/%F0%9F%98%80", "names/😀"),
                Arguments.of("names/caf%c3%a9", "names/café"),
                Arguments.of("names/th%e1%ba%a5t", "names/thất"),
                Arguments.of("names/...", "names/..."),
                Arguments.of("names/.a", "names/.a"),
                Arguments.of("names/a%3Fb", "names/a?b"),
                Arguments.of("names/a%23b", "names/a#b"),
                Arguments.of("names/a%25b", "names/a%b"),
                Arguments.of("names/*", "names/*"),
                Arguments.of("names/a:b@c", "names/a:b@c"),
                Arguments.of("names/{a}", "names/{a}"),
                Arguments.of("names/a%5Cb", "names/a\\b"),
                Arguments.of("names/a%22b", "names/a\"b"),
                Arguments.of("names/a&b=c", "names/a&b=c"),
                Arguments.of("names/a%3Bb=1", "names/a;b=1"),
                Arguments.of("names/a%e2%80%a8b", "names/a\u2028b"),
                Arguments.of("events", "events"),
                Arguments.of("names/session", "names/session"),
                Arguments.of("extend/names", "extend/names"),
                Arguments.of("names/Extend", "names/Extend"),
                Arguments.of("names/extended", "names/extended"),
                Arguments.of("problems/locked", "problems/locked"),
                Arguments.of("n".repeat(512), "n".repeat(512)),
                Arguments.of("%c3%a9".repeat(256), "é".repeat(256)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void locationAddressesRequestedLock(String raw, String name) {
        RawAnswer acquired = send(RawRequest.post("/locks/" + raw));
        assertEquals(201, acquired.status(), acquired::body);
        assertEquals(name, acquired.json().get("resource").asText());
        String token = acquired.json().get("token").asText();
        String location = acquired.header("Location");
        assertEquals(
                200, send(RawRequest.put(location + "/extend").token(token)).status());
        assertEquals(204, send(RawRequest.delete(location).token(token)).status());
        assertEquals(404, send(RawRequest.get("/locks/" + raw)).status());
    }

    @ParameterizedTest
    @CsvSource({
        "same/a/b, same/a%2Fb",
        "same/a-b, same/%61-b",
        "same/caf%C3%A9, same/caf%c3%a9",
        "http://elsewhere/locks/same/c, same/c",
    })
    void equivalentNamesDenoteSameLock(String one, String other) {
        RawAnswer acquired = send(RawRequest.post(one.startsWith("http") ? one : "/locks/" + one));
        assertEquals(201, acquired.status(), acquired::body);
        RawAnswer refused = send(RawRequest.post("/locks/" + other));
        assertEquals(423, refused.status(), refused::body);
        RawRequest release = RawRequest.delete("/locks/" + other);
        assertEquals(
                204, send(release.token(acquired.json().get("token").asText())).status());
    }

    @ParameterizedTest
    @CsvSource({
        "other/a, other/A",
        "other/b%252F, other/b%2525",
        "other/c%20d, other/c+d",
        "other/e, other/e%20",
        "other/caf%C3%A9, other/cafe%CC%81"
    })
    void differentNamesDenoteDifferentLocks(String one, String other) {
        for (String raw : new String[] {one, other}) {
            RawAnswer acquired = send(RawRequest.post("/locks/" + raw + "?ttlMs=6000"));
            assertEquals(201, acquired.status(), acquired::body);
        }
    }

    private RawAnswer send(RawRequest request) {
        return new RawHttp(service).send(request);
    }
}
