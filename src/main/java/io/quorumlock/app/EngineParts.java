// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.vertx.core.Vertx;

/**
 * What every engine is made of, besides its settings.
 *
 * @param readOnly whether this process writes nothing to the servers
 */
record EngineParts(
        boolean readOnly,
        Drift drift,
        Vertx vertx,
        EngineContext context,
        LockListener lockListener,
        ServerListener serverListener) {}
