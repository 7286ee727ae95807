// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class ServerStartTest {
    @Test
    void isDownBeforeApplicationHasStarted() {
        assertEquals(Status.DOWN, new ServerStart().call().getStatus());
    }
}
