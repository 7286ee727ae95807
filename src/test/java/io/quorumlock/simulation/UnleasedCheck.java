// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;

/**
 * The check, in a run without faults, that an acquire without a lease leaves no value on any master. One that waits for a
 * semaphore tries a slot again, without the replies of slow masters to its earlier attempts (L2).
 */
record UnleasedCheck(Cluster cluster, SimulatedCall acquire) {
    void check() {
        boolean left = cluster.masters.stream()
                .flatMap(master -> master.holders(acquire.resources))
                .anyMatch(acquire.token::equals);
        boolean triesSlotsAgain = acquire.kind.slots() > 0 && !acquire.patience.isZero();
        if (left && cluster.isOnlyCall(acquire) && !triesSlotsAgain) {
            cluster.calls.found(
                    acquire.left ? Promise.R11 : Promise.N, "an attempt without a lease left its value: " + acquire);
        }
    }
}
