// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.testing.EventLog;
import java.util.OptionalInt;

/** Consensus on the simulated store. */
final class ConsensusBackend implements Backend {
    private final StorePath path;
    private final Consensus consensus;

    ConsensusBackend(Replica replica, SimulatedStore store, EngineContext engineContext) {
        this.path = new StorePath(replica, store, engineContext);
        EngineSettings settings = new EngineSettings(
                Scale.DRIFT, OptionalInt.of(Scale.EXTENSIONS_MAX), replica.ttlMax(), Scale.NODE_TIMEOUT);
        this.consensus = new Consensus(path, settings, engineContext, new EventLog());
    }

    StorePath path() {
        return path;
    }

    @Override
    public LockEngine engine() {
        return consensus;
    }

    @Override
    public LockDirectory directory() {
        return consensus;
    }

    @Override
    public ReleaseSignal signal() {
        return consensus.signal();
    }

    @Override
    public int quorum() {
        return 1;
    }

    @Override
    public void open() {
        consensus.start();
    }

    @Override
    public boolean findsFree(ResourceName resource) {
        return path.isUsable() && !path.store().names().contains(resource);
    }

    @Override
    public int cleanUpsPending() {
        return consensus.cleanUpsPending();
    }

    @Override
    public void crash() {
        path.close();
    }

    @Override
    public void close() {
        path.close();
    }
}
