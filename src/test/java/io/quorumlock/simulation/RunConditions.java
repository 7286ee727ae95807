// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The special conditions of one run.
 *
 * @param isNew no replica has ever been connected to the masters, so they form a new fleet
 * @param clocksFail clocks of masters step and drift; leases are long, and clients' clocks exact
 * @param ttlMaxChanges replicas start with different longest TTLs, as in a rolling change of the setting
 * @param clocksAgree all masters have the same time of day
 * @param oneNamedTwice some replicas are configured with one of five masters twice
 * @param persists the operator promises that all masters persist every write (masters-persist)
 * @param otherList the last replica is configured with another list of masters until all faults end
 * @param timeIsUnknown the time of day of no master is known, so fencing tokens come from the counters alone; no master
 * loses data
 */
record RunConditions(
        boolean isNew,
        boolean clocksFail,
        boolean ttlMaxChanges,
        boolean clocksAgree,
        boolean oneNamedTwice,
        boolean timeIsUnknown,
        boolean persists,
        boolean otherList) {
    static RunConditions draw(SeededRandom random, Scenario scenario) {
        if (scenario == Scenario.CONSENSUS) {
            return new RunConditions(false, false, random.onceIn(4), false, false, false, false, false);
        }
        if (scenario == Scenario.REDLOCK_BEYOND_THE_MODEL) {
            return new RunConditions(false, false, false, random.onceIn(2), false, false, random.onceIn(2), false);
        }
        boolean persists = random.onceIn(2);
        if (random.onceIn(16)) {
            return new RunConditions(false, false, false, false, false, false, persists, true);
        }
        boolean isNew = random.onceIn(8);
        return new RunConditions(
                isNew,
                random.onceIn(3),
                random.onceIn(4),
                false,
                !isNew && random.onceIn(16),
                random.onceIn(6),
                persists,
                false);
    }

    /** Returns the servers to which the list of masters of a replica leads. */
    List<Master> mastersOf(int replica, Cluster cluster) {
        List<Master> masters = new ArrayList<>(cluster.masters);
        if (oneNamedTwice && masters.size() > 3) {
            int twice = replica % 2 == 0 ? 0 : masters.size() - 1;
            masters.set(masters.size() / 2, masters.get(twice));
        }
        boolean isLast = replica == cluster.replicas.size() - 1;
        return otherList && isLast && !cluster.faults.areOver() ? masters.subList(0, 1) : masters;
    }

    /** Returns whether all masters are configured to persist every write. */
    boolean allMastersPersist() {
        return isNew || timeIsUnknown || persists;
    }

    /** Draws the rate of a client's clock: often with the maximum error in either direction. */
    double clientRate(SeededRandom random) {
        double error = clocksFail ? 0 : Scale.CLIENT_RATE_ERROR;
        return random.onceIn(2) ? 1 - error : random.around(1, error);
    }
}
