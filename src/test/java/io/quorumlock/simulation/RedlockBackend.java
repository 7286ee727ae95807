// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.masters.SimulatedFleet;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.Redlock;
import io.quorumlock.testing.EventLog;
import java.util.List;
import java.util.OptionalInt;

/** Redlock, with real links to simulated masters. */
final class RedlockBackend implements Backend {
    private final Cluster cluster;
    private final Replica replica;
    private final LossySignal signal;
    private final List<NetworkPath> paths;
    private final SimulatedFleet fleet;
    private final Redlock redlock;

    RedlockBackend(Replica replica, EngineContext engineContext) {
        this.cluster = replica.cluster();
        this.replica = replica;
        this.signal = new LossySignal(replica);
        this.paths = cluster.conditions.mastersOf(replica.number, cluster).stream()
                .map(master -> new NetworkPath(replica, signal, master, cluster.network))
                .toList();
        RestartGuard guard =
                new RestartGuard(true, cluster.conditions.persists(), Scale.quarantine(replica.ttlMax()), false);
        this.fleet = new SimulatedFleet(
                paths, Scale.NODE_TIMEOUT, Scale.EXTENSIONS_MAX, guard, engineContext, new RestartCounter(cluster));
        List<? extends LockMaster> masters = fleet.masters().stream()
                .map(master -> new CountingMaster(master, cluster))
                .toList();
        EngineSettings rules = new EngineSettings(
                Scale.DRIFT,
                OptionalInt.of(Scale.EXTENSIONS_MAX),
                replica.ttlMax(),
                Scale.NODE_TIMEOUT,
                cluster.cleanUpsMax);
        this.redlock = new Redlock(masters, rules, engineContext, new EventLog());
    }

    @Override
    public LockEngine engine() {
        return redlock;
    }

    @Override
    public LockDirectory directory() {
        return redlock;
    }

    @Override
    public LossySignal signal() {
        return signal;
    }

    @Override
    public int quorum() {
        return paths.size() / 2 + 1;
    }

    @Override
    public void open() {
        fleet.open();
    }

    @Override
    public boolean findsFree(ResourceName resource) {
        return cluster.masters.stream()
                .allMatch(master -> cluster.network.reaches(replica, master)
                        && !cluster.network.isSlow(master)
                        && master.number < paths.size()
                        && fleet.isUp(master.number)
                        && master.server.inspect(resource) instanceof MasterReply.Absent);
    }

    /** Returns whether this replica would detect a step of the master's clock. */
    boolean watchesClockOf(Master master) {
        return fleet.hasReadClock(master.number);
    }

    @Override
    public int cleanUpsPending() {
        return redlock.cleanUpsPending();
    }

    void breakConnectionsTo(Master master) {
        paths.stream().filter(path -> path.leadsTo(master)).forEach(NetworkPath::breakConnection);
    }

    @Override
    public void crash() {
        paths.forEach(NetworkPath::close);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
