// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service without Terraform, as it is by default. */
@QuarkusTest
class TerraformOffTest {

    @ParameterizedTest
    @ValueSource(strings = {"LOCK", "UNLOCK", "PUT", "DELETE", "GET", "POST", "OPTIONS", "PATCH"})
    void hasNoPath(String method) {
        for (String path : new String[] {"/terraform/off", "/terraform/off?ID=a", "/terraform/off/extend"}) {
            Response answer = given().body("{\"ID\":\"a\"}").request(method, path);
            assertEquals(404, answer.statusCode(), path);
            assertEquals("/problems/not-found", answer.path("type"), path);
        }
    }
}
