// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service without agents, as it is by default. */
@QuarkusTest
class McpDisabledTest {

    @ParameterizedTest
    @CsvSource({
        "POST, /mcp",
        "POST, /mcp/",
        "GET, /mcp",
        "DELETE, /mcp",
        "POST, /mcp/sse",
        "GET, /mcp/sse",
        "OPTIONS, /mcp"
    })
    void hasNoPath(String method, String path) {
        Response answer = given().body("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}")
                .request(method, path);
        assertEquals(404, answer.statusCode());
        assertEquals("/problems/not-found", answer.path("type"));
    }
}
