// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Promise;
import java.util.Map;

/** The check for leftovers at the end of a run. */
record LeftoverCheck(Cluster cluster) {
    void check(Map<ResourceName, Register> registers) {
        cluster.masters.stream()
                .filter(master -> !master.server.isEmpty())
                .forEach(master -> cluster.calls.found(Promise.N, "keys left on node-" + master.number));
        cluster.store
                .filter(store -> !store.names().isEmpty())
                .ifPresent(store -> cluster.calls.found(Promise.N, "records left: " + store.names()));
        cluster.replicas.stream()
                .filter(replica -> replica.cleanUpsPending() > 0)
                .forEach(replica -> cluster.calls.found(Promise.N, "clean-ups pending on replica-" + replica.number));
        cluster.replicas.stream()
                .filter(replica -> replica.waiters() > 0)
                .forEach(replica -> cluster.calls.found(Promise.N, "waiters left on replica-" + replica.number));
        cluster.replicas.stream()
                .filter(replica -> replica.sessions().count() > 0)
                .forEach(replica -> cluster.calls.found(Promise.N, "sessions left on replica-" + replica.number));
        if (cluster.events.pending() > 0) {
            cluster.calls.found(Promise.N, cluster.events.pending() + " timers left");
        }
        registers.forEach((resource, register) -> {
            if (register.lost() != 0) {
                cluster.calls.found(Promise.S3, register.lost() + " fenced updates lost of " + resource);
            }
        });
        cluster.calls.all().stream()
                .filter(LeftoverCheck::reportsNoEffect)
                .filter(cluster::isOnlyCall)
                .forEach(call -> {
                    if (cluster.masters.stream().anyMatch(master -> master.everGranted(call.token))) {
                        cluster.calls.found(Promise.R15, "an effect despite \"no effect\": " + call);
                    }
                });
    }

    private static boolean reportsNoEffect(SimulatedCall call) {
        return call.outcome.orElse(null) instanceof Acquisition.NoQuorum none
                && none.why().effect() == Effect.NONE;
    }
}
