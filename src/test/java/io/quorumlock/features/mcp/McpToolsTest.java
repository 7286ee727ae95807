// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Background;
import io.restassured.RestAssured;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tools of agents. */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpToolsTest {
    private static final McpAgent ALICE = new McpAgent(McpProfile.ALICE);
    private static final McpAgent BOB = new McpAgent(McpProfile.BOB);
    private static final String STRANGER = "a-token-of-nobody";

    @Test
    void takesExtendsAndReleasesLocks() {
        String names = "[\"tools/b\", \"tools/a\"]";
        Instant before = Instant.now();
        JsonNode lease = acquire(ALICE, names, ", \"ttlMinutes\": 20");
        assertEquals("[\"tools/a\",\"tools/b\"]", lease.path("names").toString());
        assertBetween(1_170, 1_200, lease.path("remainingSeconds").asLong());
        assertBetween(
                1_100,
                1_300,
                Duration.between(before, Instant.parse(lease.path("expiresAt").asText()))
                        .toSeconds());
        JsonNode extended = ALICE.done("extend", own(names, lease, ", \"ttlMinutes\": 60"));
        assertBetween(3_540, 3_600, extended.path("remainingSeconds").asLong());
        assertEquals(lease.path("token"), extended.path("token"));
        ALICE.done("extend", own(names, lease, ", \"ttlMinutes\": 1"));
        assertBetween(3_540, 3_600, state("tools/a").path("remainingSeconds").asLong());
        assertEquals("{}", ALICE.done("release", own(names, lease, "")).toString());
        String again = ALICE.refused("release", own(names, lease, ""));
        assertTrue(again.contains("If you have not released them before"), again);
        assertEquals("free", state("tools/a").path("state").asText());
    }

    @Test
    void saysWhatExtendsTheLocks() {
        String names = "[\"tools/advice\"]";
        JsonNode result = ALICE.call("acquire", taking(names, ""));
        String text = McpAgent.text(result, 0);
        assertTrue(text.contains("Keep the names and the token: extend, check and list with them extend"), text);
    }

    @Test
    void usesLocksOfHttp() {
        JsonNode lease = acquire(ALICE, "[\"tools/http\"]", "");
        assertBetween(1_750, 1_800, lease.path("remainingSeconds").asLong());
        JsonNode shown = McpAgent.json(RestAssured.given()
                .header("Authorization", "Bearer " + McpProfile.ALICE)
                .get("/locks/tools/http")
                .asString());
        assertEquals("me: a test", shown.path("owner").asText());
        assertEquals(
                lease.path("fencingToken").asLong(), shown.path("fencingToken").asLong());
    }

    @Test
    void tellsWhoHoldsTheLockAndWhatToDo() {
        acquire(ALICE, "[\"shared/held\", \"shared/other\"]", ", \"ttlMinutes\": 20");
        JsonNode refused = BOB.call(
                "acquire",
                "{\"names\": [\"shared/free\", \"shared/held\"], \"agent\": \"bob\", \"note\": \"x\", \"waitSeconds\": 1}");
        assertTrue(refused.path("isError").asBoolean(), refused::toString);
        String text = McpAgent.text(refused, 0);
        assertTrue(
                text.matches(
                        "(?s)Nothing was acquired\\.\n\"shared/held\" is held by \"me: a test\", for (19|20) minutes .*"),
                text);
        assertTrue(text.contains("ask a human") && text.contains("Do not break"), text);
        JsonNode held = refused.at("/structuredContent/held");
        assertEquals(1, held.size());
        assertEquals("held", held.at("/0/state").asText());
        assertEquals("free", state("shared/free").path("state").asText());
    }

    @Test
    void tellsHolderThatItsLeaseIsLost() {
        JsonNode lease = acquire(ALICE, "[\"tools/lost\"]", "");
        ALICE.done(
                "break",
                "{\"name\": \"tools/lost\", \"reason\": \"test\", \"fencingToken\": " + lease.path("fencingToken")
                        + "}");
        for (String tool : List.of("extend", "check", "list")) {
            String arguments = tool.equals("extend")
                    ? own("[\"tools/lost\"]", lease, "")
                    : observing(tool, "[\"tools/lost\"]", lease);
            String text = ALICE.refused(tool, arguments);
            assertTrue(
                    text.contains(
                            "stop writing. If you acquired others in the same call, name all of them. Otherwise acquire them"),
                    text);
        }
    }

    @ParameterizedTest
    @CsvSource({"check", "list"})
    void observingExtendsOwnLease(String tool) {
        String names = "[\"tools/own-" + tool + "\"]";
        JsonNode lease = acquire(ALICE, names, ", \"ttlMinutes\": 2");
        JsonNode seen = ALICE.done(tool, observing(tool, names, lease));
        assertBetween(1_750, 1_800, seen.at("/own/remainingSeconds").asLong());
        assertEquals(lease.path("fencingToken"), seen.at("/own/fencingToken"));
        assertTrue(seen.at("/found/locks").isArray(), seen::toString);
        ALICE.done("extend", own(names, lease, ", \"ttlMinutes\": 60"));
        ALICE.done(tool, observing(tool, names, lease));
        assertBetween(
                3_540,
                3_600,
                state("tools/own-" + tool).path("remainingSeconds").asLong());
    }

    @Test
    void checksSeveralLocks() {
        JsonNode lease = acquire(ALICE, "[\"tools/seen\"]", "");
        JsonNode locks = ALICE.done("check", "{\"names\": [\"tools/unseen\", \"tools/seen\"]}")
                .path("locks");
        assertEquals("tools/seen", locks.at("/0/name").asText());
        assertEquals("me: a test", locks.at("/0/owner").asText());
        assertEquals(lease.path("fencingToken"), locks.at("/0/fencingToken"));
        assertBetween(1_750, 1_800, locks.at("/0/remainingSeconds").asLong());
        assertBetween(
                0,
                60,
                Duration.between(Instant.parse(locks.at("/0/heldSince").asText()), Instant.now())
                        .toSeconds());
        assertEquals(
                "{\"name\":\"tools/unseen\",\"state\":\"free\"}", locks.path(1).toString());
    }

    @Test
    void listsPages() {
        acquire(ALICE, names(IntStream.range(0, 32).mapToObj(i -> "list/a" + i)), "");
        acquire(ALICE, names(IntStream.range(0, 32).mapToObj(i -> "list/b" + i)), "");
        acquire(ALICE, names(IntStream.range(0, 32).mapToObj(i -> "list/c" + i)), "");
        acquire(ALICE, names(IntStream.range(0, 8).mapToObj(i -> "list/d" + i)), "");
        JsonNode first = ALICE.done("list", "{\"prefix\": \"list/\"}");
        assertEquals(100, first.path("locks").size());
        JsonNode last = ALICE.done("list", "{\"prefix\": \"list/\", \"after\": " + first.path("after") + "}");
        assertEquals(4, last.path("locks").size());
        assertFalse(last.has("after"));
        assertEquals(
                0,
                ALICE.done("list", "{\"prefix\": \"list/none\"}").path("locks").size());
    }

    @Test
    void breaksOnlyTheLeaseThatWasSeen() {
        JsonNode lease = acquire(ALICE, "[\"tools/broken\"]", "");
        long other = lease.path("fencingToken").asLong() + 1;
        ALICE.refused("break", "{\"name\": \"tools/broken\", \"reason\": \"gone\", \"fencingToken\": " + other + "}");
        assertEquals("held", state("tools/broken").path("state").asText());
        ALICE.done("break", "{\"name\": \"tools/broken\", \"reason\": \"alice said that it is gone\"}");
        assertEquals("free", state("tools/broken").path("state").asText());
        ALICE.refused("break", "{\"name\": \"tools/broken\", \"reason\": \"again\"}");
    }

    /** Both wait, because attempts at the same moment may both fail. */
    @Test
    void onlyOneOfOverlappingSetsIsGranted() {
        for (int round = 0; round < 3; round++) {
            String lock = "shared/own/overlap" + round + "/";
            CompletableFuture<JsonNode> alice = acquiring(ALICE, lock + "a", lock + "b");
            CompletableFuture<JsonNode> bob = acquiring(BOB, lock + "b", lock + "c");
            boolean ofAlice = !alice.join().path("isError").asBoolean();
            boolean ofBob = !bob.join().path("isError").asBoolean();
            assertTrue(ofAlice != ofBob, () -> alice.join() + " " + bob.join());
            assertEquals(
                    ofAlice ? "held" : "free", state(lock + "a").path("state").asText());
            assertEquals(
                    ofBob ? "held" : "free", state(lock + "c").path("state").asText());
        }
    }

    private static CompletableFuture<JsonNode> acquiring(McpAgent agent, String... names) {
        String arguments = "{\"names\": " + names(Stream.of(names))
                + ", \"agent\": \"me\", \"note\": \"a test\", \"waitSeconds\": 1}";
        return Background.supply(() -> agent.call("acquire", arguments));
    }

    @Test
    void nextAgentWaitsUntilTheRelease() {
        JsonNode lease = acquire(ALICE, "[\"shared/own/wait\"]", "");
        CompletableFuture<JsonNode> waiting =
                Background.supply(() -> acquire(BOB, "[\"shared/own/wait\"]", ", \"waitSeconds\": 10"));
        ALICE.done("release", own("[\"shared/own/wait\"]", lease, ""));
        assertTrue(waiting.join().path("fencingToken").asLong()
                > lease.path("fencingToken").asLong());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acquire | {'names': ['own/x'], 'agent': 'bob', 'note': 'x'} | acquire | the resource \"own/x\".",
                "acquire | {'names': ['shared/x', 'own/x'], 'agent': 'bob', 'note': 'x'} | acquire | the resource \"own/x\".",
                "extend | {'names': ['shared/x'], 'token': 'a-token-of-nobody'} | extend | the resource \"shared/x\".",
                "release | {'names': ['own/x'], 'token': 'a-token-of-nobody'} | release | the resource \"own/x\".",
                "check | {'names': ['own/x']} | read | the resource \"own/x\".",
                "check | {'names': ['shared/x'], 'ownNames': ['shared/x'], 'ownToken': 'a-token-of-nobody'} | extend | the resource \"shared/x\".",
                "list | {} | list | the prefix \"\".",
                "list | {'prefix': 'share'} | list | the prefix \"share\".",
                "break | {'name': 'shared/x', 'reason': 'x'} | force | the resource \"shared/x\"."
            })
    void requiresPermissionForEachName(String tool, String arguments, String verb, String denied) {
        JsonNode result = BOB.call(tool, arguments.replace('\'', '"'));
        assertTrue(result.path("isError").asBoolean(), result::toString);
        assertTrue(McpAgent.text(result, 0).startsWith("The API key does not allow this request."), result::toString);
        assertTrue(McpAgent.text(result, 0).contains(denied), result::toString);
        assertEquals(verb, result.at("/structuredContent/verb").asText());
        assertEquals("free", state("shared/x").path("state").asText());
    }

    /** The names are those of the acquire, all of them. */
    @Test
    void refusesOtherNamesAndTokens() {
        String names = "[\"tools/mine\", \"tools/too\"]";
        JsonNode lease = acquire(ALICE, names, "");
        for (String tool : List.of("extend", "release")) {
            ALICE.refused(tool, own("[\"tools/mine\"]", lease, ""));
            ALICE.refused(tool, "{\"names\": " + names + ", \"token\": \"" + STRANGER + "\"}");
        }
        ALICE.done("extend", own(names, lease, ""));
    }

    @Test
    void countsCalls() {
        String metric = "quorumlock_mcp_calls_total{outcome=\"%s\",tool=\"%s\"} ";
        double held = count(metric.formatted("held", "acquire"));
        double refused = count(metric.formatted("refused", "break"));
        acquire(ALICE, "[\"tools/counted\"]", "");
        ALICE.refused("acquire", taking("[\"tools/counted\"]", ""));
        ALICE.refused("break", "{}");
        assertEquals(held + 1, count(metric.formatted("held", "acquire")));
        assertEquals(refused + 1, count(metric.formatted("refused", "break")));
    }

    private static double count(String sample) {
        return RestAssured.get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(sample))
                .mapToDouble(line -> Double.parseDouble(line.substring(sample.length())))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode acquire(McpAgent agent, String names, String more) {
        return agent.done("acquire", taking(names, more));
    }

    private static String taking(String names, String more) {
        return "{\"names\": " + names + ", \"agent\": \"me\", \"note\": \"a test\"" + more + "}";
    }

    private static String own(String names, JsonNode lease, String more) {
        return "{\"names\": " + names + ", \"token\": " + lease.path("token") + more + "}";
    }

    private static String observing(String tool, String names, JsonNode lease) {
        String what = tool.equals("check") ? "\"names\": " + names : "\"prefix\": \"tools/own\"";
        return "{" + what + ", \"ownNames\": " + names + ", \"ownToken\": " + lease.path("token") + "}";
    }

    private static JsonNode state(String name) {
        return ALICE.done("check", "{\"names\": [\"" + name + "\"]}").at("/locks/0");
    }

    private static String names(Stream<String> names) {
        return names.map(name -> "\"" + name + "\"").collect(Collectors.joining(", ", "[", "]"));
    }

    private static void assertBetween(long least, long most, long number) {
        assertTrue(least <= number && number <= most, () -> number + " is not from " + least + " to " + most);
    }
}
