// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCheckTest {

    @Test
    void acceptsTheDefaults() {
        assertDoesNotThrow(() -> ConfigCheck.check(config()));
        assertEquals(Optional.of("lock:"), config().lockPrefix());
        assertEquals(Duration.ofMillis(50), config().node().timeout());
    }

    @Test
    void keepsAnEmptyPrefix() {
        assertEquals(Optional.empty(), config("lock-prefix", "").lockPrefix());
    }

    @ParameterizedTest
    @CsvSource({
        "node.timeout,            0ms,   too short; write at least 1ms",
        "ttl.min,                 40ms,  'too short for QUORUMLOCK_NODE_TIMEOUT=50ms and the drift; write at least 54ms, or lower QUORUMLOCK_NODE_TIMEOUT'",
        "node.connect-timeout,    0ms,   too short; write at least 1ms",
        "node.ca-file,            none.pem, no such file; write the path of a PEM file",
        "ttl.min,                 53ms,  'too short for QUORUMLOCK_NODE_TIMEOUT=50ms and the drift; write at least 54ms, or lower QUORUMLOCK_NODE_TIMEOUT'",
        "ttl.min,                 31s,   'longer than QUORUMLOCK_TTL_DEFAULT; write at most 30s, or raise QUORUMLOCK_TTL_DEFAULT'",
        "ttl.default,             5m,    'longer than QUORUMLOCK_TTL_MAX; write at most 1m, or raise QUORUMLOCK_TTL_MAX'",
        "ttl.max,                 25h,   too long; write at most 24h",
        "drift.factor,            0.5,   'out of range; write a number from 0, below 0.5'",
        "drift.factor,            NaN,   'out of range; write a number from 0, below 0.5'",
        "drift.constant,          -1ms,  too short; write at least 0ms",
        "fence-prefix,            lock:, equal to QUORUMLOCK_LOCK_PREFIX; write another prefix",
        "wait.max,                61s,   too long; write at most 1m",
        "events.heartbeat,        2m,    too long; write at most 1m",
        "session.max-count,       0,     too small; write at least 1",
        "security.reload-period,  99ms,  too short; write at least 100ms",
        "security.reload-period,  2h,    too long; write at most 1h",
        "requests.max-in-flight,  0,     too small; write at least 1",
        "requests.reserved,       0,     too small; write at least 1",
        "extensions.max,          -1,    too small; write at least 0"
    })
    void saysWhatIsWrongAndWhatToWrite(String key, String value, String rest) {
        String message = assertThrows(ConfigurationException.class, () -> ConfigCheck.check(config(key, value)))
                .getMessage();
        String variable = "QUORUMLOCK_" + key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
        assertEquals(variable + "=" + value + ": " + rest, message);
    }

    @ParameterizedTest
    @CsvSource({
        "ttl.max,       30000,   a number without a unit; write 30000s or 30000ms",
        "ttl.max,       0,       a number without a unit; write 0s or 0ms",
        "node.timeout,  50,      a number without a unit; write 50s or 50ms",
        "ttl.max,       1minute, 'not a duration; write a number with a unit: 500ms, 30s, 2m or 1h'",
        "wait.max,      ten,     'not a duration; write a number with a unit: 500ms, 30s, 2m or 1h'",
        "restart-guard.enabled, enabled, neither true nor false; write one of them",
        "security.open, ture,    neither true nor false; write one of them",
        "extensions.max, many,   'Expected an integer value, got \"many\"'",
        "drift.factor,  x,       'Expected a double value, got \"x\"'"
    })
    void explainsValuesOfWrongType(String key, String value, String rest) {
        Exception invalid = assertThrows(ConfigValidationException.class, () -> config(key, value));
        String variable = "QUORUMLOCK_" + key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
        assertEquals(Optional.of(variable + "=" + value + ": " + rest), StartErrors.explain(invalid));
    }

    @Test
    void explainsNoOtherFailures() {
        assertEquals(Optional.empty(), StartErrors.explain(new IllegalStateException("a bug")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://a,redis://b | has 2 masters; it must be an odd number",
                "redis://a,redis://b,redis://c,redis://d | has 4 masters; it must be an odd number",
                "redis://a,redis://b,redis://A:6379 | node-3 is the same server as node-1 (a:6379)",
                "http://a | must begin with redis:// or rediss://",
                "redis://:canary@a/1 | must not name a database",
                "redis://:canary%zz@a | is not a URL",
                "redis://:ca#nary@a | has a # that is not percent-encoded; write %23",
                "redis://a?x=1 | must not have a query",
                "redis:a | must name a host"
            })
    void rejectsInvalidNodesWithoutTheirPasswords(String urls, String line) {
        List<String> nodes = Arrays.asList(urls.split(","));
        String message = assertThrows(ConfigurationException.class, () -> ConfigCheck.addresses(nodes))
                .getMessage();
        assertTrue(message.contains(line) && !message.contains("canary"), message);
    }

    @Test
    void acceptsOddNumbersOfNodes() {
        assertEquals(1, ConfigCheck.addresses(List.of("redis://a")).size());
        assertEquals(
                3,
                ConfigCheck.addresses(List.of("redis://a:1", "rediss://u:p@a:2", " redis://b "))
                        .size());
    }

    private static QuorumlockConfig config(String... keyAndValue) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(QuorumlockConfig.class);
        if (keyAndValue.length > 0) {
            builder.withDefaultValue("quorumlock." + keyAndValue[0], keyAndValue[1]);
        }
        return builder.build().getConfigMapping(QuorumlockConfig.class);
    }
}
