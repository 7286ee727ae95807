// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The settings of event streams. */
@ConfigMapping(prefix = "quorumlock.events")
public interface EventsConfig {
    /** The maximum number of event streams on this replica. */
    @WithDefault("1000")
    int streamsMax();

    static void check(EventsConfig config, QuorumlockConfig service, Mistakes mistakes) {
        // A service that accepts none of them is a mistake.
        mistakes.checkLeast("events.streams-max", config.streamsMax(), 1);
    }
}
