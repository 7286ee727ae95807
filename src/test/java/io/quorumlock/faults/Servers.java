// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The servers that keep the locks of a run. */
interface Servers extends AutoCloseable {
    /** The promise L3 of masters, and enough for etcd. */
    Duration RECOVERY = Setup.TTL_MAX.plus(Setup.QUARANTINE).plusSeconds(1);

    /** Returns the environment of a replica that uses them. */
    Map<String, String> environment();

    /** Returns the hosts and ports of their proxies. */
    List<String> addresses();

    FaultPlan plan(long seed, Duration length);

    /** Returns the execution of a fault of a server. */
    FaultAction action(PlannedFault fault, NodesPoller watch);

    /** Returns the most connections of a replica that are kept for later use. */
    int idleConnections();

    /** Returns the least number of grants that proves enough load. */
    double grantsAMinute();

    /** Returns the longest time after all faults until each lock can be acquired again. */
    Duration recovery();

    /** Counts what is left after the leases of all clients have ended. */
    List<Observation> leftovers();

    @Override
    void close();
}
