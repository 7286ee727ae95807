// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;

/** The check that a release that arrived is completed, even if its client disconnected. */
record ReleaseCheck(Cluster cluster, SimulatedCall release) {
    void check() {
        Replica replica = cluster.replicas.get(release.replica);
        boolean arrived = release.started != SimulatedCall.NEVER && replica.hinderedAt() < release.invoked;
        if (arrived && cluster.calls.lastRelease(release.token) < release.invoked) {
            cluster.calls.found(Promise.L, "a release that arrived was not completed: " + release);
        }
    }
}
