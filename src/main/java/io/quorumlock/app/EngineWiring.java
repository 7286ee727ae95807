// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.settings.Mistakes;

/** The choice of an engine: the check of its settings, and its creation from them. */
interface EngineWiring {
    /** Returns whether its servers are temporary ones, which the service starts. */
    boolean isTrial();

    /** Checks the settings that only this engine has, without network. */
    void check(Mistakes mistakes);

    /** Creates the engine, and starts its servers if they are temporary. Opens no connection. */
    Backend create(EngineParts parts);
}
