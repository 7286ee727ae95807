// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.testing.Eventually;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong options of the clients. All clients reject them in the same words, and send nothing. */
@Tag("nightly")
class ClientOptionsIT {
    private static final URI NOBODY = URI.create("http://127.0.0.1:1");
    private static final int TTL_MS = 30_000;

    private static final Map<ClientKind, ClientDriver> DRIVERS = new EnumMap<>(ClientKind.class);

    @BeforeAll
    static void start() {
        for (ClientKind kind : ClientKind.installed()) {
            kind.build();
            DRIVERS.put(kind, ClientDriver.of(kind, NOBODY));
        }
    }

    @AfterAll
    static void stop() {
        DRIVERS.values().forEach(ClientDriver::close);
    }

    /**
     * The clients that are left out cannot express the value. Zero means "not set" in Go, and the option is a flag in the shell
     * and in Java.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'ttlMs': 0} | ttl must be at least 1 ms | SHELL PYTHON JAVASCRIPT JAVA",
                "{'ttlMs': -1} | ttl must be at least 1 ms | PYTHON JAVASCRIPT GO JAVA",
                "{'ttlMs': '10s'} | ttl must be a whole number with its unit, such as 500ms, 30s, 2m or 1h, not '10sms' | SHELL",
                "{'ttlMs': '10s'} | ttl must be a number of seconds or a timedelta, not '10s' | PYTHON",
                "{'ttlMs': '10s'} | ttl must be a number of milliseconds, not '10s' | JAVASCRIPT",
                "{'waitMs': '10s'} | wait must be a number of seconds or a timedelta, not '10s' | PYTHON",
                "{'waitMs': '10s'} | wait must be a number of milliseconds, not '10s' | JAVASCRIPT",
                "{'waitMs': -1} | wait must not be negative | PYTHON JAVASCRIPT GO JAVA",
                "{'keepMs': -1} | keep must not be negative | PYTHON JAVASCRIPT GO JAVA",
                "{'marginMs': -1} | margin must not be negative | PYTHON JAVASCRIPT GO JAVA",
                "{'marginMs': 30000} | margin (30000 ms) must be less than ttl (30000 ms) | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'slots': 0} | slots must be a whole number from 1 to 64, not 0 | SHELL PYTHON JAVASCRIPT JAVA",
                "{'slots': 65} | slots must be a whole number from 1 to 64, not 65 | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'slots': -1} | slots must be a whole number from 1 to 64, not -1 | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'slots': 1.5} | slots must be a whole number from 1 to 64, not 1.5 | SHELL PYTHON JAVASCRIPT",
                "{'slots': '4'} | slots must be a whole number from 1 to 64, not '4' | PYTHON JAVASCRIPT",
                "{'slots': 4, 'shared': true} | slots is not allowed with shared | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'shared': 'false'} | shared must be true or false, not 'false' | PYTHON JAVASCRIPT",
                "{'shared': 0} | shared must be true or false, not 0 | PYTHON JAVASCRIPT",
                "{'owner': 5} | owner must be text, not 5 | PYTHON JAVASCRIPT",
                "{'name': 'a//b'} | a name must not be empty, and must not have an empty segment or the segments . and .. "
                        + "| SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'name': 'a/extend'} | the last segment of a name must not be extend or fence | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'name': 'a/fence'} | the last segment of a name must not be extend or fence | SHELL PYTHON JAVASCRIPT GO JAVA",
                "{'name': null} | a name must be text, not none | PYTHON",
                "{'name': null} | a name must be text, not null | JAVASCRIPT",
                "{'name': null} | name must not be null | JAVA",
                "{'names': []} | there must be a name | PYTHON JAVASCRIPT GO"
            })
    void wrongOptionsAreRefused(String options, String words, String kinds) throws JsonProcessingException {
        JsonNode parsed = new ObjectMapper().readTree(options.replace('\'', '"'));
        for (String kind : kinds.split(" ")) {
            ClientDriver driver = DRIVERS.get(ClientKind.valueOf(kind));
            if (driver != null) {
                driver.beginAcquire("options", TTL_MS, 0, parsed);
                JsonNode refused = driver.answer(Eventually.LONGEST);
                assertEquals("refused", refused.path("error").asText(), () -> kind + refused);
                assertEquals(0, refused.path("status").asInt(-1), () -> kind + refused);
                // Options are called --ttl, ttl or TTL, and maxWait in Java.
                String told = refused.path("message").asText().toLowerCase(Locale.ROOT);
                told = told.replace("--", "").replace("maxwait", "wait").replace('"', '\'');
                assertTrue(told.contains(words), kind + ": " + told);
            }
        }
    }

    @Test
    void namesAddressThatDoesNotAnswer() {
        for (ClientKind kind : DRIVERS.keySet()) {
            try (ClientDriver driver = ClientDriver.of(kind, URI.create("http://127.0.0.1:1"))) {
                JsonNode failed = driver.acquire("options", TTL_MS, 0);
                assertTrue(failed.path("message").asText().contains("127.0.0.1:1"), () -> kind + failed.toString());
            }
        }
    }

    /** The path of a lock is this one twice, which is that of another lock. */
    @Test
    void urlOfTheLocksIsRefused() {
        for (ClientKind kind : DRIVERS.keySet()) {
            for (String url : List.of("http://127.0.0.1:1/locks", "http://127.0.0.1:1/a/locks/")) {
                try (ClientDriver driver = ClientDriver.of(kind, URI.create(url))) {
                    JsonNode refused = driver.acquire("options", TTL_MS, 0);
                    assertEquals("refused", refused.path("error").asText(), () -> kind + refused.toString());
                    String told = refused.path("message").asText();
                    assertTrue(told.contains("a base URL must not end in /locks: write "), told);
                }
            }
            try (ClientDriver driver = ClientDriver.of(kind, URI.create("http://locks.invalid/a"))) {
                JsonNode failed = driver.acquire("options", TTL_MS, 0);
                assertEquals("unavailable", failed.path("error").asText(), () -> kind + failed.toString());
            }
        }
    }

    /** Services of Docker Compose may have such names. */
    @Test
    void hostNamesWithUnderscoreAreAcceptedExceptByJava() {
        for (ClientKind kind : DRIVERS.keySet()) {
            try (ClientDriver driver = ClientDriver.of(kind, URI.create("http://no_such_host.invalid:8080"))) {
                JsonNode failed = driver.acquire("options", TTL_MS, 0);
                String java = "Java's HTTP client does not accept host names with '_': ";
                assertEquals(
                        kind == ClientKind.JAVA,
                        failed.path("message").asText().contains(java),
                        () -> kind + failed.toString());
                assertEquals(
                        kind == ClientKind.JAVA ? "refused" : "unavailable",
                        failed.path("error").asText(),
                        () -> kind + failed.toString());
            }
        }
    }
}
