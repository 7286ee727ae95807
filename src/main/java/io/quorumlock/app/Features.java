// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.features.events.EventsConfig;
import io.quorumlock.features.fleetlock.FleetLockConfig;
import io.quorumlock.features.mcp.McpConfig;
import io.quorumlock.features.page.PageConfig;
import io.quorumlock.features.sessions.SessionsConfig;
import io.quorumlock.features.terraform.TerraformConfig;
import io.quorumlock.settings.Bounds;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.NamesCheck;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.SmallRyeConfig;
import java.util.List;
import org.eclipse.microprofile.config.Config;

/**
 * The features of this service. To delete one, delete its folder and its lines here, and for the page
 * META-INF/resources/ui. The framework finds the beans of a feature;
 * this list is for the start, which checks all settings and their names.
 */
public final class Features {
    private static final List<Settings<?>> ALL = List.of(
            new Settings<>(EventsConfig.class, EventsConfig::check),
            new Settings<>(FleetLockConfig.class, FleetLockConfig::check),
            new Settings<>(McpConfig.class, McpConfig::check),
            new Settings<>(PageConfig.class, (own, service, mistakes) -> {}),
            new Settings<>(SessionsConfig.class, SessionsConfig::check),
            new Settings<>(TerraformConfig.class, TerraformConfig::check),
            new Settings<>(QuorumlockConfig.class, (own, service, mistakes) -> Bounds.check(service, mistakes)));

    /** The names of all settings. */
    static final NamesCheck NAMES = new NamesCheck(mappings());

    private Features() {}

    /** Returns the types of all settings. */
    public static List<Class<?>> mappings() {
        return ALL.stream().<Class<?>>map(Settings::type).toList();
    }

    static void check(Config all, QuorumlockConfig service, Mistakes mistakes) {
        ALL.forEach(settings -> settings.check(all.unwrap(SmallRyeConfig.class), service, mistakes));
    }

    /** The settings of a feature, or of the service itself. */
    private record Settings<C>(Class<C> type, Rule<C> rule) {
        void check(SmallRyeConfig all, QuorumlockConfig service, Mistakes mistakes) {
            rule.check(all.getConfigMapping(type), service, mistakes);
        }
    }

    /** The rule for the settings of a feature. */
    private interface Rule<C> {
        void check(C own, QuorumlockConfig service, Mistakes mistakes);
    }
}
