// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.fleet.ServerListener;
import io.quorumlock.lock.LockListener;
import io.quorumlock.time.Drift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.tracing.Tracing;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * What every engine is made of, besides its settings.
 *
 * @param readOnly whether this process writes nothing to the servers
 * @param loop the context of the connections
 * @param traced the context of the algorithm, whose tasks run in the trace of their request
 */
record EngineParts(
        boolean readOnly,
        Drift drift,
        Vertx vertx,
        EngineContext loop,
        EngineContext traced,
        Optional<Tracing> tracing,
        LockListener lockListener,
        ServerListener serverListener) {}
