// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
