// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.Drift;
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
        assertEquals(Duration.ofSeconds(60), TtlBounds.longest(config("embedded", "true", "nodes", "redis://a")));
    }

    @Test
    void allowsTtlsOfOneHourWhereRestartCostsNoQuarantine() {
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("embedded", "true")));
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("masters-persist", "true")));
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("engine", "zookeeper")));
        assertEquals(Duration.ofHours(1), TtlBounds.longest(config("engine", "etcd")));
        assertEquals(
                Duration.ofSeconds(30), config("masters-persist", "true").ttl().defaultTtl());
    }

    @Test
    void shortestTtlIsThatOfCallByDefault() {
        assertEquals(Duration.ofMillis(100), TtlBounds.shortest(config("zookeeper.timeout", "5s")));
        assertEquals(Duration.ofMillis(500), TtlBounds.shortest(config("node.timeout", "500ms")));
        assertEquals(Duration.ofSeconds(1), TtlBounds.shortest(config("engine", "zookeeper")));
        assertEquals(Duration.ofSeconds(1), TtlBounds.shortest(config("engine", "etcd")));
        assertEquals(Duration.ofMillis(200), TtlBounds.shortest(config("engine", "etcd", "etcd.timeout", "200ms")));
        assertEquals(Duration.ofSeconds(2), TtlBounds.shortest(config("engine", "etcd", "ttl.min", "2s")));
    }

    /** A lease that ends with its drift would never be valid. */
    @Test
    void shortestTtlIsLongerThanDrift() {
        QuorumlockConfig config = config("engine", "etcd", "etcd.timeout", "10ms", "drift.constant", "150ms");
        Drift drift = new Drift(config.drift().factor(), config.drift().constant());
        assertTrue(drift.validity(TtlBounds.shortest(config), Duration.ZERO).toMillis() > 0);
        Duration shorter = TtlBounds.shortest(config).minusMillis(1);
        assertEquals(Duration.ZERO, drift.validity(shorter, Duration.ZERO));
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
