// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import java.util.Map;

/** The check for leftovers at the end of a world. */
record FinalCheck(World world) {
    void check(Map<ResourceName, Register> registers) {
        world.masters.stream()
                .filter(master -> !master.server.isEmpty())
                .forEach(master -> world.history.found(Promise.N, "keys left on node-" + master.number));
        world.replicas.stream()
                .filter(replica -> replica.cleanUpsPending() > 0)
                .forEach(replica -> world.history.found(Promise.N, "clean-ups pending on replica-" + replica.number));
        world.replicas.stream()
                .filter(replica -> replica.waiters() > 0)
                .forEach(replica -> world.history.found(Promise.N, "waiters left on replica-" + replica.number));
        world.replicas.stream()
                .filter(replica -> replica.forcedCleanUpsPending() > 0)
                .forEach(replica ->
                        world.history.found(Promise.N, "forced releases pending on replica-" + replica.number));
        world.replicas.stream()
                .filter(replica -> replica.sessions().count() > 0)
                .forEach(replica -> world.history.found(Promise.N, "sessions left on replica-" + replica.number));
        if (world.agenda.pending() > 0) {
            world.history.found(Promise.N, world.agenda.pending() + " timers left");
        }
        registers.forEach((resource, register) -> {
            if (register.lost() != 0) {
                world.history.found(Promise.S3, register.lost() + " fenced updates lost of " + resource);
            }
        });
        world.history.calls().stream()
                .filter(FinalCheck::reportsNoEffect)
                .filter(world::isOnlyCall)
                .forEach(call -> {
                    if (world.masters.stream().anyMatch(master -> master.everGranted(call.token))) {
                        world.history.found(Promise.R15, "an effect despite \"no effect\": " + call);
                    }
                });
    }

    private static boolean reportsNoEffect(SimulatedCall call) {
        return call.outcome.orElse(null) instanceof Acquisition.NoQuorum none
                && none.why().effect() == Effect.NONE;
    }
}
