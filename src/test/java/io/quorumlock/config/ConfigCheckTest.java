// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
        "node.timeout,            0s,    quorumlock.node.timeout is 0ms; it must be at least 1ms",
        "node.connect-timeout,    0s,    quorumlock.node.connect-timeout is 0ms; it must be at least 1ms",
        "ttl.min,                 50ms,  quorumlock.ttl.min is 50ms; it must be longer than quorumlock.node.timeout",
        "ttl.min,                 52ms,  quorumlock.ttl.min is 52ms; it must be longer than the sum of node timeout and drift",
        "ttl.default,             99ms,  quorumlock.ttl.default is 99ms; it must be from quorumlock.ttl.min",
        "ttl.max,                 1s,    quorumlock.ttl.max is 1000ms; it must be from quorumlock.ttl.default",
        "ttl.max,                 25h,   quorumlock.ttl.max is 90000000ms; it must be at most 24h",
        "drift.factor,            0.5,   quorumlock.drift.factor is 0.5; it must be from 0 to below 0.5",
        "drift.factor,            NaN,   quorumlock.drift.factor is NaN; it must be from 0 to below 0.5",
        "drift.constant,          -1ms,  quorumlock.drift.constant is -1ms; it must be at least 0ms",
        "wait.max,                61s,   quorumlock.wait.max is 61000ms; it must be at most 1m",
        "events.heartbeat,        2m,    quorumlock.events.heartbeat is 120000ms; it must be at most 1m",
        "session.max-count,       0,     quorumlock.session.max-count is 0; it must be 1 or more",
        "security.reload-period,  99ms,  quorumlock.security.reload-period is 99ms; it must be at least 100ms",
        "security.reload-period,  2h,    quorumlock.security.reload-period is 7200000ms; it must be at most 1h",
        "requests.max-in-flight,  0,     quorumlock.requests.max-in-flight is 0; it must be 1 or more",
        "requests.reserved,       0,     quorumlock.requests.reserved is 0; it must be 1 or more",
        "extensions.max,          -1,    quorumlock.extensions.max is -1; it must be 0 or more"
    })
    void namesValueAndAllowedValues(String key, String value, String line) {
        String message = assertThrows(ConfigurationException.class, () -> ConfigCheck.check(config(key, value)))
                .getMessage();
        assertTrue(message.startsWith(line), message);
        assertEquals(1, message.lines().count());
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
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withMapping(QuorumlockConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter());
        if (keyAndValue.length > 0) {
            builder.withDefaultValue("quorumlock." + keyAndValue[0], keyAndValue[1]);
        }
        return builder.build().getConfigMapping(QuorumlockConfig.class);
    }
}
