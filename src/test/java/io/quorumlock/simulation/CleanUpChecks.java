// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Operation;

/** The checks of what a call leaves after its clean-up. */
record CleanUpChecks(Cluster cluster, SimulatedCall call) {
    private static final long TIME_TO_CLEAN_UP = Scale.millis(700);

    /**
     * Checks the call later. Beyond the model, a waiter, or an acquire of a semaphore, can adopt the values of its own
     * earlier attempt on a master that missed the clean-up.
     */
    void plan() {
        boolean inModel = cluster.scenario == Scenario.REDLOCK && !cluster.conditions.otherList();
        if (call.operation == Operation.RELEASE) {
            cluster.events.after(TIME_TO_CLEAN_UP, new ReleaseCheck(cluster, call)::check);
        }
        if (cluster.faultFree && inModel && cluster.cleanUpsMax > 1 && EndedLeaseCheck.applies(call)) {
            checkAfterCleanUp(new EndedLeaseCheck(cluster, call)::check);
        }
        boolean once = cluster.scenario != Scenario.REDLOCK_BEYOND_THE_MODEL
                || call.patience.isZero() && call.kind.slots() == 0;
        boolean isUnleased = call.requestsLease() && call.lease().isEmpty();
        if (cluster.faultFree && once && isUnleased) {
            checkAfterCleanUp(new UnleasedCheck(cluster, call)::check);
        }
    }

    /** Also waits for the deletes that the replica repeats. */
    private void checkAfterCleanUp(Runnable check) {
        cluster.events.after(TIME_TO_CLEAN_UP, () -> {
            if (cluster.replicas.get(call.replica).cleanUpsPending() > 0) {
                checkAfterCleanUp(check);
            } else {
                check.run();
            }
        });
    }
}
