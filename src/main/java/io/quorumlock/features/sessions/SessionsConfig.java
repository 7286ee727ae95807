// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The settings of sessions. */
@ConfigMapping(prefix = "quorumlock.session")
public interface SessionsConfig {
    /** The maximum number of sessions on this replica. */
    @WithDefault("1000")
    int maxCount();

    static void check(SessionsConfig config, QuorumlockConfig service, Mistakes mistakes) {
        // A service that accepts none of them is a mistake.
        mistakes.checkLeast("session.max-count", config.maxCount(), 1);
    }
}
