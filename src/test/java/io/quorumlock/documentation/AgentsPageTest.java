// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.features.mcp.McpProfile;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/use/agents.md and the skill of agents, on a running service. */
@QuarkusTest
@TestProfile(McpProfile.class)
class AgentsPageTest {
    private static final Document PAGE = Document.docs("use/agents.md");
    private static final Document SKILL = Document.read(Path.of("clients/agents/SKILL.md"));
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String TOKEN = "the-token-of-your-lease";
    private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestHTTPResource
    URI service;

    /** Clients send the headers of their files. */
    @Test
    void filesOfClientsConnect() throws IOException {
        List<JsonNode> servers = new ArrayList<>();
        for (String file : PAGE.blocks("json")) {
            servers.addAll(JSON.readTree(file).findValues("quorumlock"));
        }
        assertEquals(2, servers.size());
        for (JsonNode server : servers) {
            assertEquals("http://localhost:8080/mcp", server.path("url").asText());
            String header = server.at("/headers/Authorization").asText().replace("your-key", KeysText.ALICE);
            assertEquals(200, list(header).statusCode());
        }
    }

    @Test
    void ruleForAgentsAllowsAllButForce() throws IOException {
        JsonNode rule = JSON.readTree(PAGE.blocks("json").get(0));
        Set<String> verbs = new TreeSet<>();
        rule.path("verbs").forEach(verb -> verbs.add(verb.asText()));
        assertEquals(Set.of("acquire", "extend", "release", "read", "list"), verbs);
        assertEquals("shop/", rule.path("prefix").asText());
    }

    @Test
    void tableHasEveryToolWithItsArguments() {
        List<Map<String, Object>> tools = list("Bearer " + KeysText.ALICE).path("result.tools");
        assertEquals(6, tools.size());
        for (Map<String, Object> tool : tools) {
            JsonNode arguments = JSON.valueToTree(tool).at("/inputSchema/properties");
            List<String> names = new ArrayList<>();
            arguments.fieldNames().forEachRemaining(names::add);
            Set<String> required = new TreeSet<>();
            JSON.valueToTree(tool).at("/inputSchema/required").forEach(name -> required.add(name.asText()));
            String row = names.stream()
                    .map(name -> required.contains(name) ? "**`" + name + "`**" : "`" + name + "`")
                    .collect(Collectors.joining(", ", "| `" + tool.get("name") + "` | ", " | "));
            assertTrue(PAGE.text().contains(row), row);
        }
    }

    private static Response list(String authorization) {
        return given().header("Authorization", authorization).body(LIST).post("/mcp");
    }

    @Test
    void commandsOfSkillTakeAndReleaseLocks() throws IOException {
        assumeTrue(Shell.has("curl"), "curl is not installed");
        List<String> commands = SKILL.blocks("sh");
        JsonNode lease = JSON.readTree(run(commands.get(0)));
        JsonNode held = JSON.readTree(run(commands.get(0)));
        assertEquals(2, held.path("held").size(), held::toString);
        String token = lease.path("token").asText();
        JsonNode extended = JSON.readTree(run(commands.get(1).replace(TOKEN, token)));
        assertEquals(1_800_000, extended.path("ttlMs").asInt(), extended::toString);
        JsonNode shown = JSON.readTree(run(commands.get(2)));
        assertEquals("agent-1: round prices", shown.path("owner").asText());
        assertEquals("", run(commands.get(3).replace(TOKEN, token)));
        assertEquals(404, JSON.readTree(run(commands.get(2))).path("status").asInt());
        assertEquals(
                404,
                JSON.readTree(run(commands.get(1).replace(TOKEN, token)))
                        .path("status")
                        .asInt());
    }

    private String run(String command) {
        Map<String, String> environment =
                Map.of("QUORUMLOCK_URL", "http://localhost:" + service.getPort(), "QUORUMLOCK_KEY", KeysText.ALICE);
        Shell.Result ran = new Shell(Path.of(""), environment).run(Eventually.LONGEST, "sh", "-c", command);
        assertEquals(0, ran.status(), ran::output);
        return ran.output();
    }

    /** Agents show descriptions of skills in lists. */
    @Test
    void skillHasNameAndDescription() {
        assertTrue(SKILL.text().matches("(?s)---\nname: [a-z]+\ndescription: [^\n]{50,1024}\n---\n\n# .*"));
        assertTrue(SKILL.text().lines().skip(4).allMatch(line -> line.length() <= 100));
    }
}
