// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HealthChecksTest {

    @Test
    void listsEachCheckOnce() {
        List<String> names = given().get("/q/health").jsonPath().getList("checks.name", String.class);
        assertEquals(
                List.of("Graceful Shutdown", "process", "quorum", "server"),
                names.stream().sorted().toList());
    }
}
