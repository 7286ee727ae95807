// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.LockClient.Answer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FleetLock is off unless it is enabled. */
@QuarkusTest
class FleetLockOffTest {
    @TestHTTPResource
    URI service;

    @Test
    void pathsDoNotExist() {
        FleetLockClient machine = FleetLockClient.at(service);
        for (Answer answer : List.of(machine.preReboot("off", "a"), machine.steadyState("off", "a"))) {
            assertEquals(404, answer.status());
            assertEquals("not_found", answer.body().get("kind").asText());
        }
    }
}
