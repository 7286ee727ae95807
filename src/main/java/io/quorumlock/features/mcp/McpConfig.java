// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import io.quorumlock.settings.DurationWithUnit;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StrictFlag;
import io.quorumlock.settings.TtlBounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of the locks of coding agents. */
@ConfigMapping(prefix = "quorumlock.mcp")
public interface McpConfig {
    /** Whether coding agents can take locks by the Model Context Protocol, at {@code /mcp}. */
    @WithDefault("false")
    @WithConverter(StrictFlag.class)
    boolean enabled();

    /** The TTL of a lock if the agent names none. Any call of its owner extends it. */
    @WithDefault("30m")
    @WithConverter(DurationWithUnit.class)
    Duration ttl();

    static void check(McpConfig config, QuorumlockConfig service, Mistakes mistakes) {
        if (config.enabled()) {
            TtlBounds.checkTtl("mcp.ttl", config.ttl(), service, mistakes);
            mistakes.refuseLimitOfExtensions(
                    service, "QUORUMLOCK_MCP_ENABLED", "extends a lease whenever an agent checks its locks");
        }
    }
}
