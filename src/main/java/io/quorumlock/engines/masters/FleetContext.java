// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.engines.redis.StallWatch;

/**
 * Dependencies shared by all links of a fleet.
 *
 * @param masters the list of masters of this replica, as text
 * @param checkAll checks again whether each master may vote
 * @param votersChanged called after a master began or ceased to vote
 */
record FleetContext(
        ServerIdentities identities,
        RestartGuard guard,
        String masters,
        FleetView view,
        ClockComparison clocks,
        StallWatch stalls,
        ServerListener listener,
        Runnable checkAll,
        Runnable votersChanged) {}
