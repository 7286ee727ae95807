// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.page;

import io.quorumlock.settings.StrictFlag;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;

/** The settings of the operator's page. */
@ConfigMapping(prefix = "quorumlock.ui")
public interface PageConfig {
    /** Whether the operator's page is served. */
    @WithDefault("true")
    @WithConverter(StrictFlag.class)
    boolean enabled();
}
