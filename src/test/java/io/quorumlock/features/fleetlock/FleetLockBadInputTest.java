// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static io.quorumlock.features.fleetlock.FleetLockClient.PRE_REBOOT;
import static io.quorumlock.features.fleetlock.FleetLockClient.STEADY_STATE;
import static io.quorumlock.features.fleetlock.FleetLockClient.body;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are not valid: they get 400 in the form of the protocol, and change nothing. */
@QuarkusTest
@TestProfile(FleetLockProfile.class)
class FleetLockBadInputTest {
    private static final String HOLDER = "machine-that-holds-the-slot";
    private static final String GROUP = "client_params.group must ";
    private static final String ID = "client_params.id must ";

    @TestHTTPResource
    URI service;

    private FleetLockClient machines;

    @BeforeEach
    void holdSlot() {
        machines = FleetLockClient.at(service);
        machines.take("bad", HOLDER);
    }

    @AfterEach
    void onlySlotIsHeldUnchanged() {
        LockClient.Answer locks = new LockClient(service).get("/locks?prefix=fleetlock/");
        assertEquals(List.of("fleetlock/bad"), locks.body().findValuesAsText("resource"));
        assertEquals(0, locks.body().at("/locks/0/extensions").asInt());
        machines.giveBack("bad", HOLDER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "fence",
                "extend",
                "",
                "a/b",
                "a b",
                "*",
                "a_b",
                "bad\\n",
                "bad\\u0000",
                "caf\\u00e9",
                "\\u0660",
                "bad%2Ffence"
            })
    void rejectsGroup(String group) {
        refuses(body(group, HOLDER), GROUP);
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 8_000, 16_200})
    void rejectsLongGroup(int length) {
        refuses(body("g".repeat(length), HOLDER), GROUP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\\nb", "\\u0000", "\\u007f", "\\u0085", "\\ud800", "x\\udc00y"})
    void rejectsId(String id) {
        refuses(body("bad", id), ID);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 128, 16_200})
    void rejectsLongId(int length) {
        refuses(body("bad", "i".repeat(length)), ID);
    }

    static Stream<String> otherBodies() {
        String parameters = "{\"id\":\"%s\",\"group\":\"bad\"}".formatted(HOLDER);
        return Stream.of(
                "",
                " ",
                "null",
                "1",
                "\"client_params\"",
                "[]",
                "{}",
                "{",
                "{\"client_params\":" + parameters,
                "{\"client_params\":null}",
                "{\"client_params\":\"bad\"}",
                "{\"client_params\":[" + parameters + "]}",
                "[{\"client_params\":" + parameters + "}]",
                "{\"Client_Params\":" + parameters + "}",
                "{\"client_params\":{}}",
                "{\"client_params\":{\"id\":\"%s\"}}".formatted(HOLDER),
                "{\"client_params\":{\"group\":\"bad\"}}",
                "{\"client_params\":{\"id\":1,\"group\":\"bad\"}}",
                "{\"client_params\":{\"id\":null,\"group\":\"bad\"}}",
                "{\"client_params\":{\"id\":true,\"group\":\"bad\"}}",
                "{\"client_params\":{\"id\":[\"%s\"],\"group\":\"bad\"}}".formatted(HOLDER),
                "{\"client_params\":{\"id\":\"%s\",\"group\":{}}}".formatted(HOLDER),
                "{\"client_params\":{\"id\":\"x\",\"id\":\"%s\",\"group\":\"bad\"}}".formatted(HOLDER),
                "{\"client_params\":{},\"client_params\":" + parameters + "}",
                "{\"client_params\":" + parameters + "}{}",
                "{\"client_params\":" + parameters + "} x",
                "client_params=" + HOLDER,
                "[".repeat(16_000));
    }

    @ParameterizedTest
    @MethodSource("otherBodies")
    void rejectsBody(String body) {
        refuses(body, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "false", "TRUE", "true, true", "1"})
    void rejectsOtherMark(String mark) {
        LockClient http = new LockClient(service).with("fleet-lock-protocol", mark);
        refuses(new FleetLockClient(http), body("bad", HOLDER), "fleet-lock-protocol must ");
    }

    @Test
    void rejectsMissingMark() {
        refuses(
                new FleetLockClient(new LockClient(service)),
                body("bad", HOLDER),
                "fleet-lock-protocol must be a header");
    }

    @Test
    void rejectsMalformedUtf8() {
        byte[] body = body("bad", "\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        Answer answer = machines.http().post(PRE_REBOOT, body);
        assertEquals(400, answer.status());
        assertEquals(
                "The request is not valid. body must be one JSON object in UTF-8, without repeated members.",
                answer.body().get("value").asText());
    }

    /** Names with the same hash make the parser reject a body, and would reject the bodies of others if it kept them. */
    @Test
    void collidingNamesDoNotAffectOtherBodies() {
        String colliding = IntStream.range(0, 512)
                .mapToObj(i -> '"' + collision(i) + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
        refuses(colliding, "client_params must be an object");
        assertEquals(409, machines.preReboot("bad", "other").status());
    }

    /** 33 * 'A' + 'a' is 33 * 'B' + '@'. */
    private static String collision(int number) {
        return IntStream.range(0, 9)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "B@")
                .collect(Collectors.joining());
    }

    @Test
    void rejectsBodyOverTheLimitOfTheService() {
        Answer answer = machines.http().post(PRE_REBOOT, new byte[20_000]);
        assertEquals(413, answer.status());
        assertEquals("body_too_large", answer.body().get("kind").asText());
    }

    private void refuses(String body, String rule) {
        refuses(machines, body, rule);
    }

    private static void refuses(FleetLockClient client, String body, String rule) {
        for (String path : List.of(PRE_REBOOT, STEADY_STATE)) {
            Answer answer = client.post(path, body);
            assertEquals(400, answer.status(), answer.body()::toString);
            assertEquals("invalid_request", answer.body().get("kind").asText());
            String value = answer.body().get("value").asText();
            assertTrue(value.startsWith("The request is not valid. " + rule), value);
            assertFalse(value.contains(HOLDER) || value.length() > 200, value);
        }
    }
}
