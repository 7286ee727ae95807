// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SecuredProfile.bearer;
import static io.quorumlock.http.SecuredProfile.secret;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that asks for keys, over real HTTP. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class SecuredTest {
    private static final List<String> VERBS =
            List.of("acquire", "extend", "release", "read", "list", "force", "events");
    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    static Stream<CallWithVerb> routes() {
        return Stream.concat(CallWithVerb.all(), CallWithVerb.streams());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void rejectsRequestsWithoutKey(CallWithVerb route) {
        RawAnswer answer = expect(401, route.request());
        assertEquals("unauthorized", answer.slug());
        assertEquals(
                "Bearer realm=\"quorumlock\", Basic realm=\"quorumlock\", charset=\"UTF-8\"",
                answer.header("WWW-Authenticate"));
    }

    @ParameterizedTest
    @MethodSource("io.quorumlock.http.CallWithVerb#all")
    void keyAllowsOnlyItsVerbs(CallWithVerb route) {
        for (String verb : VERBS) {
            RawAnswer answer = send(route.request().header("Authorization", bearer(verb)));
            CONTRACT.check(route.request(), answer);
            if (verb.equals(route.verb())) {
                assertTrue(route.statuses().contains(answer.status()), () -> route + ": " + answer);
            } else {
                assertDenied(route, verb, answer);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.quorumlock.http.CallWithVerb#streams")
    void streamRequiresItsVerb(CallWithVerb route) {
        for (String verb : List.of("acquire", "read", "list", "force")) {
            assertDenied(route, verb, expect(403, route.request().header("Authorization", bearer(verb))));
        }
        String headers = "Authorization: " + bearer("events") + "\r\n";
        try (EventReader reader = new EventReader(service, route.request().target(), headers)) {
            reader.nextStarting(": hints");
        }
    }

    /** It keeps a lease, and for that takes and extends one. */
    @ParameterizedTest
    @CsvSource({"acquire, extend", "extend, acquire", "events, acquire", "release, acquire"})
    void sessionRequiresAcquireAndExtend(String has, String lacks) {
        RawRequest session = RawRequest.post("/sessions/secured/a?ttlMs=6000");
        expect(401, session);
        RawAnswer answer = expect(403, session.header("Authorization", bearer(has)));
        assertEquals(lacks, answer.json().get("verb").asText());
    }

    private static void assertDenied(CallWithVerb route, String key, RawAnswer answer) {
        assertEquals(403, answer.status(), () -> key + " at " + route);
        assertEquals(key, answer.json().get("key").asText());
        String lacking = answer.json().get("verb").asText();
        assertEquals(route.verb(), lacking);
    }

    /** An answer must not reveal the existence of a resource to a client without permission. */
    @Test
    void refusesFreeAndHeldLocksAlike() {
        expect(201, RawRequest.post("/locks/orders/eu/held?ttlMs=60000").header("Authorization", bearer("all")));
        RawAnswer held = expect(403, with("orders", RawRequest.post("/locks/orders/eu/held")));
        RawAnswer free = expect(403, with("orders", RawRequest.post("/locks/orders/eu/free")));
        assertEquals(held.body().replace("held", "free"), free.body());
        assertEquals("orders/eu/free", free.json().get("resource").asText());
    }

    @Test
    void listsOnlyVisibleLocks() {
        expect(200, with("orders", RawRequest.get("/locks?prefix=orders/us")));
        assertEquals(
                "",
                expect(403, with("orders", RawRequest.get("/locks")))
                        .json()
                        .get("prefix")
                        .asText());
        expect(403, with("orders", RawRequest.get("/locks?prefix=orders/")));
        expect(403, with("orders", RawRequest.get("/events?prefix=orders/e")));
    }

    @Test
    void showsOnlyVisibleNamesOfLease() {
        String names = "names=hidden/x&names=orders/us/y";
        RawAnswer lease = expect(201, with("all", RawRequest.post("/locks?ttlMs=60000&" + names)));
        RawAnswer shown = expect(200, with("orders", RawRequest.get("/locks/orders/us/y")));
        assertEquals("[\"orders/us/y\"]", shown.json().get("names").toString());
        assertEquals(
                2,
                expect(200, with("read", RawRequest.get("/locks/orders/us/y")))
                        .json()
                        .get("names")
                        .size());
        String token = lease.json().get("token").asText();
        expect(204, with("all", RawRequest.delete("/locks?" + names + "&token=" + token)));
    }

    @Test
    void treatsEscapedNameAsSameName() {
        expect(403, with("orders", RawRequest.post("/locks/orders%2Feu%2Fx")));
        expect(403, with("orders", RawRequest.post("/locks/orders/%65u/x")));
        expect(201, with("orders", RawRequest.post("/locks/orders/x?ttlMs=6000")));
    }

    @Test
    void showsServiceStateToKeysThatReadEverything() {
        expect(200, with("read", RawRequest.get("/nodes")));
        assertEquals(
                "read",
                expect(403, with("orders", RawRequest.get("/nodes")))
                        .json()
                        .get("verb")
                        .asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/q/health",
                "/q/health/live",
                "/q/health/ready",
                "/q/metrics",
                "/openapi.yaml",
                "/problems/locked"
            })
    void probesMetricsAndExplanationsNeedNoKey(String path) {
        assertEquals(200, send(RawRequest.get(path)).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//nodes",
                "/./nodes",
                "/nodes/",
                "/nodes;x=1",
                "/q/health/../../nodes",
                "/q/health/%2e%2e/%2e%2e/nodes",
                "/q/metrics/../../nodes",
                "/problems/../nodes",
                "/problems/..;/nodes",
                "/problems/x/../../locks",
                "//locks",
                "/locks;x=1",
                "/./locks/a",
                "/problems/../locks/a",
                "/q/health/../../events",
                "/%6eodes",
                "http://x/nodes",
                "/elsewhere",
                "/nodes%",
                "/q/health%",
                "/q/health/%2"
            })
    void rejectsDetoursAroundKeys(String target) {
        int without = send(RawRequest.get(target)).status();
        assertTrue(List.of(400, 401, 404).contains(without), () -> target + " " + without);
        int limited = send(with("orders", RawRequest.get(target))).status();
        assertTrue(List.of(400, 403, 404).contains(limited), () -> target + " " + limited);
    }

    @Test
    void reportsDisallowedMethodOnlyWithKey() {
        expect(401, RawRequest.put("/locks/a"));
        expect(405, with("read", RawRequest.put("/locks/a")));
    }

    static Stream<String> malformed() {
        return Stream.of(
                "",
                "Bearer",
                "Bearer short",
                "Basic",
                "Basic !",
                "Basic Y2FuYXJ5",
                "Digest x",
                "Bearer caf\u00e9-" + "x".repeat(40),
                "Bearer " + "x".repeat(8_192),
                bearer("read") + " " + bearer("read"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void rejectsMalformedHeader(String header) {
        assertEquals(
                "unauthorized",
                expect(401, RawRequest.get("/nodes").header("Authorization", header))
                        .slug());
    }

    @Test
    void rejectsTwoValidHeaders() {
        RawRequest request = RawRequest.get("/nodes").header("Authorization", bearer("read"));
        expect(401, request.header("authorization", bearer("read")));
    }

    @Test
    void readsIdAndKeyFromBasic() {
        expect(200, RawRequest.get("/nodes").header("Authorization", basic("read", secret("read"))));
        expect(401, RawRequest.get("/nodes").header("Authorization", basic("all", secret("read"))));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void appliesQuotaToEveryRoute(CallWithVerb route) {
        RawRequest request = with("slow", route.request());
        List<RawAnswer> answers =
                IntStream.range(0, 3).mapToObj(i -> send(request)).toList();
        answers.forEach(answer -> CONTRACT.check(request, answer));
        assertTrue(answers.stream().anyMatch(answer -> answer.slug().equals("too-many-requests")), answers::toString);
    }

    @Test
    void limitsConcurrentWaitsOfKey() {
        expect(201, with("all", RawRequest.post("/locks/secured/busy?ttlMs=60000")));
        RawRequest waiting = with("patient", RawRequest.post("/locks/secured/busy?waitMs=10000&ttlMs=6000"));
        CompletableFuture<RawAnswer> first = Background.supply(() -> send(waiting));
        Eventually.holds("waits", () -> waiters("secured/busy") == 1);
        assertEquals("too-many-waiters", expect(429, waiting).slug());
        expect(204, with("all", RawRequest.delete("/locks/secured/busy?force=true&reason=test")));
        assertEquals(201, first.join().status());
        expect(201, with("patient", RawRequest.post("/locks/secured/idle?waitMs=10&ttlMs=6000")));
    }

    private int waiters(String resource) {
        return send(with("read", RawRequest.get("/locks/" + resource)))
                .json()
                .path("waiters")
                .asInt();
    }

    private static RawRequest with(String key, RawRequest request) {
        return request.header("Authorization", bearer(key));
    }

    private static String basic(String id, String key) {
        return "Basic " + Base64.getEncoder().encodeToString((id + ":" + key).getBytes(StandardCharsets.UTF_8));
    }

    private RawAnswer expect(int status, RawRequest request) {
        RawAnswer answer = send(request);
        assertEquals(status, answer.status(), () -> request.target() + " " + answer.body());
        CONTRACT.check(request, answer);
        assertFalse((answer.headers() + answer.body()).contains("canary"), answer::toString);
        return answer;
    }

    private RawAnswer send(RawRequest request) {
        return new RawHttp(service).send(request);
    }
}
