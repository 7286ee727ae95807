// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the protocols of other tools, part of {@link QuorumlockConfig}. */
public interface FacadeConfig {
    interface Terraform {
        /** Whether Terraform and OpenTofu can lock their states, at {@code /terraform/{name}}. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean enabled();

        /** The TTL of a lock whose URL has no {@code ttlMs}. Terraform does not extend locks. */
        @WithDefault("1h")
        @WithConverter(DurationWithUnit.class)
        Duration ttl();

        /** The HTTP store that keeps the states: a state is at this URL, followed by "/" and its name. Without it, only locks. */
        Optional<String> stateUrl();

        /** The PEM file of trusted certificates for a store with {@code https://}, instead of those of the JVM. */
        Optional<Path> caFile();
    }

    interface FleetLock {
        /** Whether the updates of Fedora CoreOS machines can take turns, at {@code /fleetlock}. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean enabled();

        /** The longest time that a machine keeps its slot without a sign of life. */
        @WithDefault("30m")
        @WithConverter(DurationWithUnit.class)
        Duration ttl();

        /** The number of machines of a group that may be away at the same time. */
        @WithDefault("1")
        int slots();

        /** Other numbers of slots, comma-separated: {@code group:slots}. */
        Optional<List<String>> groups();
    }

    interface Mcp {
        /** Whether coding agents can take locks by the Model Context Protocol, at {@code /mcp}. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean enabled();

        /** The TTL of a lock if the agent names none. Any call of its owner extends it. */
        @WithDefault("30m")
        @WithConverter(DurationWithUnit.class)
        Duration ttl();
    }
}
