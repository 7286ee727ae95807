// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static io.quorumlock.features.fleetlock.FleetLockClient.assertDone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.http.SecuredProfile;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permissions for reboots. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class FleetLockSecuredTest {
    private static final String GROUP = "secured";

    @TestHTTPResource
    URI service;

    /** The library of Zincati makes this header of a user and a password in its base URL. */
    @Test
    void keyWithAllVerbsMayReboot() {
        String credentials = "all:" + SecuredProfile.secret("all");
        String basic = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        LockClient http = FleetLockClient.at(service).http().with("Authorization", "Basic " + basic);
        FleetLockClient machine = new FleetLockClient(http);
        machine.take(GROUP, "a");
        machine.take(GROUP, "a");
        machine.giveBack(GROUP, "a");
    }

    @ParameterizedTest
    @CsvSource({"release, acquire", "extend, acquire", "patient, extend", "acquire, extend", "reader, read"})
    void preRebootNeedsAcquireExtendAndRead(String key, String lacks) {
        assertForbidden(lacks, with(key).preReboot(GROUP, "a"));
    }

    @ParameterizedTest
    @CsvSource({"read, release", "acquire, release", "release, read"})
    void steadyStateNeedsReleaseAndRead(String key, String lacks) {
        assertForbidden(lacks, with(key).steadyState(GROUP, "a"));
    }

    @Test
    void refusesAlikeWhetherMachineHasSlot() {
        assertDone(with("all").preReboot("alike", "a"));
        Answer held = with("read").steadyState("alike", "a");
        assertDone(with("all").steadyState("alike", "a"));
        assertEquals(held.body(), with("read").steadyState("alike", "a").body());
    }

    @Test
    void needsKey() {
        Answer answer = FleetLockClient.at(service).preReboot(GROUP, "a");
        assertEquals(401, answer.status());
        assertEquals("unauthorized", answer.body().get("kind").asText());
    }

    private FleetLockClient with(String key) {
        return new FleetLockClient(FleetLockClient.at(service).http().withKey(SecuredProfile.secret(key)));
    }

    private static void assertForbidden(String lacks, Answer answer) {
        assertEquals(403, answer.status(), answer.body()::toString);
        assertEquals("forbidden", answer.body().get("kind").asText());
        String value = answer.body().get("value").asText();
        assertTrue(
                value.contains("The API key has no rule that allows " + lacks + " on the resource \"fleetlock/"),
                value);
    }
}
