// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.http.OpenApiContract;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A client that sends requests as Zincati does, and checks each answer against the contract. */
record FleetLockClient(LockClient http) {
    static final String PRE_REBOOT = "/fleetlock/v1/pre-reboot";
    static final String STEADY_STATE = "/fleetlock/v1/steady-state";

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    static FleetLockClient at(URI service) {
        return new FleetLockClient(new LockClient(service).with("fleet-lock-protocol", "true"));
    }

    LockClient.Answer preReboot(String group, String id) {
        return post(PRE_REBOOT, body(group, id));
    }

    LockClient.Answer steadyState(String group, String id) {
        return post(STEADY_STATE, body(group, id));
    }

    void take(String group, String id) {
        assertDone(preReboot(group, id));
    }

    void giveBack(String group, String id) {
        assertDone(steadyState(group, id));
    }

    static void assertDone(LockClient.Answer answer) {
        assertEquals(200, answer.status(), answer.body()::toString);
        assertEquals("{}\n", answer.response().body());
    }

    /** Sends a body without a content type. */
    LockClient.Answer post(String path, String body) {
        LockClient.Answer answer = http.post(path, body.getBytes(StandardCharsets.UTF_8));
        CONTRACT.check(
                "POST",
                path,
                answer.status(),
                answer.headers(),
                answer.response().body());
        return answer;
    }

    static String body(String group, String id) {
        return "{\n  \"client_params\": {\n    \"id\": \"%s\",\n    \"group\": \"%s\"\n  }\n}".formatted(id, group);
    }
}
