// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import io.quorumlock.core.lock.LockKind;
import io.quorumlock.settings.DurationWithUnit;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StrictFlag;
import io.quorumlock.settings.TtlBounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of slots for reboots. */
@ConfigMapping(prefix = "quorumlock.fleetlock")
public interface FleetLockConfig {
    /** A group and its number of slots. */
    Pattern GROUP = Pattern.compile("([a-zA-Z0-9.-]+):([1-9][0-9]?)");

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

    static void check(FleetLockConfig config, QuorumlockConfig service, Mistakes mistakes) {
        if (config.enabled()) {
            TtlBounds.checkTtl("fleetlock.ttl", config.ttl(), service, mistakes);
        }
        mistakes.checkRange("fleetlock.slots", config.slots(), 1, LockKind.MOST_SLOTS);
        List<String> groups = config.groups().orElse(List.of());
        if (slotsOfGroups(config).size() < groups.size()) {
            mistakes.refuse(
                    "fleetlock.groups",
                    String.join(",", groups),
                    "must be different groups, each with \":\" and its number of slots, 1 to " + LockKind.MOST_SLOTS
                            + "; write for example workers:3,databases:1");
        }
    }

    /** Returns the numbers of slots by group, without those that are not valid. */
    static Map<String, Integer> slotsOfGroups(FleetLockConfig config) {
        Map<String, Integer> slots = new HashMap<>();
        for (String entry : config.groups().orElse(List.of())) {
            Matcher parts = GROUP.matcher(entry);
            if (parts.matches() && Integer.parseInt(parts.group(2)) <= LockKind.MOST_SLOTS) {
                slots.put(parts.group(1), Integer.valueOf(parts.group(2)));
            }
        }
        return Map.copyOf(slots);
    }
}
