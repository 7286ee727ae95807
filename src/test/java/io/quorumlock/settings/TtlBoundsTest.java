// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TtlBoundsTest {

    @Test
    void acceptsTheDefaults() {
        Mistakes mistakes = new Mistakes();
        Bounds.check(config(), mistakes);
        TtlBounds.check(config(), mistakes);
        assertDoesNotThrow(mistakes::throwIfAny);
        assertEquals(Optional.of("lock:"), config().lockPrefix());
        assertEquals(Duration.ofMillis(50), config().node().timeout());
    }

    @Test
    void keepsAnEmptyPrefix() {
        assertEquals(Optional.empty(), config("lock-prefix", "").lockPrefix());
    }

    @Test
    void allowsTtlsOfOneMinuteByDefault() {
        assertEquals(Duration.ofSeconds(60), TtlBounds.longest(config()));
        assertEquals(Duration.ofSeconds(60), TtlBounds.longest(config("embedded", "true")));
    }

    @Test
    void allowsTtlsOfOneHourWhereRestartCostsNoQuarantine() {
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("masters-persist", "true")));
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("engine", "zookeeper")));
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("engine", "etcd")));
        assertEquals(
                Duration.ofSeconds(30), config("masters-persist", "true").ttl().defaultTtl());
    }

    @Test
    void shortestTtlIsLongerThanCallByDefault() {
        assertEquals(Duration.ofMillis(100), TtlBounds.shortest(config("zookeeper.timeout", "5s")));
        assertEquals(Duration.ofMillis(509), TtlBounds.shortest(config("node.timeout", "500ms")));
        assertEquals(Duration.ofMillis(1_014), TtlBounds.shortest(config("engine", "zookeeper")));
        assertEquals(Duration.ofMillis(1_014), TtlBounds.shortest(config("engine", "etcd")));
        assertEquals(Duration.ofMillis(206), TtlBounds.shortest(config("engine", "etcd", "etcd.timeout", "200ms")));
        assertEquals(Duration.ofSeconds(2), TtlBounds.shortest(config("engine", "etcd", "ttl.min", "2s")));
    }

    @Test
    void prefersConfiguredMaximumTtl() {
        assertEquals(Duration.ofMinutes(5), TtlBounds.longest(config("masters-persist", "true", "ttl.max", "5m")));
    }

    private static QuorumlockConfig config(String... keysAndValues) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(QuorumlockConfig.class);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.withDefaultValue("quorumlock." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.build().getConfigMapping(QuorumlockConfig.class);
    }
}
