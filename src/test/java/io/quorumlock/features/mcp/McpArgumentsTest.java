// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments of tools that are not valid. The text says what is wrong, and nothing changes. */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpArgumentsTest {
    private static final McpAgent ALICE = new McpAgent(McpProfile.ALICE);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acquire | {} | names is required. agent is required. note is required.",
                "acquire | {'names': [], 'agent': 'a', 'note': 'n'} | names must have 1 to 32 names.",
                "acquire | {'names': ['bad/x', 'bad/x'], 'agent': 'a', 'note': 'n'} | names must not have a name twice.",
                "acquire | {'names': 'bad/x', 'agent': 'a', 'note': 'n'} | names must be an array of names.",
                "acquire | {'names': [7], 'agent': 'a', 'note': 'n'} | names must have only strings.",
                "acquire | {'names': ['bad/../x'], 'agent': 'a', 'note': 'n'} | must not contain the segment \"..\".",
                "acquire | {'names': ['bad/x', '/bad/x'], 'agent': 'a', 'note': 'n'} | names has the name \"/bad/x\", which must not begin with a slash: leave it out.",
                "acquire | {'names': ['bad//x'], 'agent': 'a', 'note': 'n'} | names has the name \"bad//x\", which must not be empty or contain an empty segment.",
                "acquire | {'names': ['bad/x', null], 'agent': 'a', 'note': 'n'} | names must have only strings.",
                "acquire | {'names': ['bad/x'], 'agent': 7, 'note': 'n'} | agent must be a string.",
                "acquire | {'names': ['bad/x'], 'agent': '', 'note': 'n'} | agent must have 1 to 128 characters.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': ['n']} | note must be a string.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': null} | note is required.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'a\\tb'} | note must not contain control characters.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 0} | ttlMinutes must be from 1 to 120",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 121} | ttlMinutes must be from 1 to 120",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 1e400} | ttlMinutes must be a whole number.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 30.5} | ttlMinutes must be a whole number.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 1e30} | ttlMinutes must be from 1 to 120",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 'five'} | ttlMinutes must be a whole number.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttlMinutes': 'null'} | ttlMinutes must be a whole number.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'waitSeconds': '[1]'} | waitSeconds must be a whole number.",
                "acquire | {'names': '[7]', 'agent': 'a', 'note': 'n'} | names must have only strings.",
                "acquire | {'names': '[', 'agent': 'a', 'note': 'n'} | names must be an array of names.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'waitSeconds': -1} | waitSeconds must be from 0 to 10",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'waitSeconds': 11} | waitSeconds must be from 0 to 10",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'token': 'x'} | token is unknown; the fields are agent, names, note, ttlMinutes, waitSeconds.",
                "acquire | {'names': ['bad/x'], 'agent': 'a', 'note': 'n', 'ttl-minutes': 5} | ttl-minutes is unknown; did you mean ttlMinutes.",
                "extend | {'names': ['bad/x']} | token is required.",
                "extend | {'names': ['bad/x'], 'token': 'short'} | token must have 16 to 128 characters.",
                "extend | {'names': ['bad/x'], 'token': {}} | token must be a string.",
                "release | {'token': 'a-token-of-nobody'} | names is required.",
                "release | {'names': ['bad/x'], 'token': 'a-token-of-nobody', 'force': true} | force is unknown; the fields are names, token.",
                "check | {} | names is required.",
                "check | {'names': ['bad/x'], 'ownToken': 'a-token-of-nobody'} | ownNames is required with ownToken.",
                "list | {'ownNames': ['bad/x']} | ownToken is required with ownNames.",
                "list | {'prefix': '//'} | prefix must not begin with a slash: leave it out.",
                "list | {'prefix': 'bad//'} | prefix must not contain an empty segment.",
                "list | {'after': ''} | after must not be empty",
                "break | {'name': 'bad/x'} | reason is required.",
                "break | {'reason': 'x'} | name is required.",
                "break | {'names': ['bad/x'], 'name': 'bad/x', 'reason': 'x'} | names is unknown; did you mean name.",
                "break | {'name': 'bad/x', 'reason': ' '} | and not only spaces.",
                "break | {'name': 'bad/x', 'reason': 'x', 'fencingToken': 0} | fencingToken must be from 1"
            })
    void namesMistakesInArguments(String tool, String arguments, String expected) {
        String text = ALICE.refused(tool, arguments.replace('\'', '"'));
        assertTrue(text.startsWith("The request is not valid.") && text.contains(expected), text);
        assertEquals(
                0, ALICE.done("list", "{\"prefix\": \"bad/\"}").path("locks").size());
    }

    @Test
    void limitsNames() {
        String tooMany =
                IntStream.range(0, 33).mapToObj(i -> "\"bad/" + i + "\"").collect(Collectors.joining(", ", "[", "]"));
        assertTrue(ALICE.refused("acquire", "{\"names\": " + tooMany + ", \"agent\": \"a\", \"note\": \"n\"}")
                .contains("names must have 1 to 32 names."));
        assertTrue(ALICE.refused("check", "{\"names\": " + tooMany + "}").contains("1 to 32"));
    }

    /** The last character of a cut label may be half of one in UTF-16. */
    @Test
    void cutsLongLabels() {
        assertEquals("a: " + "n".repeat(125), label("a", "n".repeat(125)));
        assertEquals("a: " + "n".repeat(124) + "…", label("a", "n".repeat(126)));
        assertEquals("a: " + "n".repeat(124) + "…", label("a", "n".repeat(9_000)));
        assertEquals("a".repeat(127) + "…", label("a".repeat(200), "n"));
        assertEquals("a: " + "😀".repeat(62) + "…", label("a", "😀".repeat(64)));
        assertEquals("ab: " + "😀".repeat(61) + "…", label("ab", "😀".repeat(64)));
    }

    /** Nobody reads the other lines in a list. */
    @Test
    void cutsLabelsAfterTheirFirstLine() {
        assertEquals("a: first…", label("a", "first\\nsecond\\nthird"));
        assertEquals("a…: first…", label("a\\r\\nb", "\\n first\\u0085second"));
        assertEquals("a: first", label("a\\n", "first\\n"));
        assertEquals("a: " + "n".repeat(124) + "…", label("a", "n".repeat(130) + "\\nb"));
    }

    /** Two widespread agents write arrays and numbers as JSON text. */
    @Test
    void acceptsArraysAndNumbersAsText() {
        JsonNode lease = ALICE.done(
                "acquire",
                """
                {"names": "[\\"text/a\\", \\"text/b\\"]", "agent": "1", "note": "[2]", "ttlMinutes": "20", "waitSeconds": "0.0"}""");
        assertEquals(1_199, lease.path("remainingSeconds").asLong(), 20);
        String names = "\"names\": \"[\\\"text/b\\\", \\\"text/a\\\"]\"";
        assertEquals(
                "1: [2]",
                ALICE.done("check", "{" + names + "}").at("/locks/1/owner").asText());
        String own = names.replace("names", "ownNames") + ", \"ownToken\": " + lease.path("token");
        ALICE.done("check", "{" + names + ", " + own + "}");
        ALICE.done(
                "break",
                "{\"name\": \"text/a\", \"reason\": \"5\", \"fencingToken\": \"" + lease.path("fencingToken") + "\"}");
    }

    private static String label(String agent, String note) {
        JsonNode lease = ALICE.done(
                "acquire", "{\"names\": [\"label\"], \"agent\": \"%s\", \"note\": \"%s\"}".formatted(agent, note));
        String label = ALICE.done("check", "{\"names\": [\"label\"]}")
                .at("/locks/0/owner")
                .asText();
        ALICE.done("release", "{\"names\": [\"label\"], \"token\": " + lease.path("token") + "}");
        return label;
    }

    @Test
    void acceptsIntegersOfJsonSchema() {
        JsonNode lease = ALICE.done(
                "acquire",
                "{\"names\": [\"integers\"], \"agent\": \"a\", \"note\": \"n\", \"ttlMinutes\": 20.0, \"waitSeconds\": 0.0}");
        assertEquals(1_199, lease.path("remainingSeconds").asLong(), 20);
        ALICE.done(
                "break",
                "{\"name\": \"integers\", \"reason\": \"test\", \"fencingToken\": " + lease.path("fencingToken")
                        + ".0}");
    }
}
