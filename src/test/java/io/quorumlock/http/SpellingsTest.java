// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spellings of paths, with a key for names that begin with orders/. Permission and lock use the same name. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class SpellingsTest {
    private static final List<String> BEFORE = List.of(
            "",
            "/",
            "./",
            "../",
            "..%2F",
            "%2e%2e/",
            ".%2E/",
            "%2F",
            "%5C",
            "\\",
            ";/",
            ";a=b/",
            "%3B/",
            "%c0%ae%c0%ae/");
    private static final List<String> OWN =
            List.of("orders", "%6Frders", "orders%00", "orders%2F", "ORDERS", "orders;x");
    private static final List<String> BETWEEN = List.of(
            "/../",
            "/..%2F",
            "%2F..%2F",
            "/%2e%2e/",
            "%2f%2e%2e%2f",
            "/.%2e/",
            "/..;/",
            "/..;a=b/",
            "//",
            "/./../",
            "%252F..%252F",
            "%c0%af..%c0%af",
            "/..\\",
            "%5C..%5C",
            "/%2e%2e%2f",
            "/x/../../",
            "#/../",
            "?/../",
            "/..%00/",
            "/..%0d%0a/",
            "\u00ff/../");
    private static final String OUTSIDE = "secret/spelled";
    private static final String TOKEN = "token-of-the-spelled-lock";

    @TestHTTPResource
    URI service;

    @BeforeEach
    void holdLockOutside() {
        RawAnswer held = send(
                "all", RawRequest.post("/locks/" + OUTSIDE + "?ttlMs=60000").token(TOKEN));
        assertTrue(held.status() == 201 || held.status() == 200, held::body);
    }

    static Stream<String> names() {
        return BEFORE.stream().flatMap(before -> OWN.stream()
                .flatMap(own -> BETWEEN.stream().map(between -> before + own + between + OUTSIDE)));
    }

    /** Every answer of a lock names it, and a lock outside would answer 423 or 409 to a stranger. */
    @Test
    void keyReachesNoLockOutsideItsPrefix() {
        TreeSet<Integer> statuses = new TreeSet<>();
        names().forEach(name -> {
            RawAnswer answer = send("orders", RawRequest.post("/locks/" + name + "?ttlMs=6000"));
            statuses.add(answer.status());
            if (answer.status() == 201) {
                String resource = answer.json().get("resource").asText();
                assertTrue(resource.startsWith("orders/"), name + " is " + resource);
            } else {
                assertTrue(List.of(400, 403, 404, 423).contains(answer.status()), name + ": " + answer.status());
                assertFalse(
                        answer.status() == 423
                                && answer.json().get("remainingMs").asLong() > 6_000,
                        name);
            }
        });
        assertTrue(statuses.containsAll(List.of(201, 400, 403)), statuses::toString);
    }

    @Test
    void keyBreaksAndReadsNoLockOutsideItsPrefix() {
        names().forEach(name -> {
            RawAnswer read = send("orders", RawRequest.get("/locks/" + name));
            assertFalse(read.status() == 200 && read.json().path("held").asBoolean(), name);
            RawAnswer released =
                    send("orders", RawRequest.delete("/locks/" + name).token(TOKEN));
            assertFalse(released.status() == 204, name);
        });
        assertEquals(200, send("all", RawRequest.get("/locks/" + OUTSIDE)).status());
    }

    private RawAnswer send(String key, RawRequest request) {
        return new RawHttp(service).send(request.header("Authorization", SecuredProfile.bearer(key)));
    }
}
