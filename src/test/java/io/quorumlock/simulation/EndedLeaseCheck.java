// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Release;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;

/**
 * The check, in a run without faults, that a lease that was released, broken or lost leaves no value on any master,
 * even if commands of its acquire arrived after those of the call that ended it.
 */
record EndedLeaseCheck(Cluster cluster, SimulatedCall end) {
    private static final long LONGEST_CALL = Scale.LONGEST_CALL.toNanos();

    static boolean applies(SimulatedCall call) {
        Object outcome = call.outcome.orElse(null);
        return outcome instanceof Release.Released && call.keep.isZero()
                || outcome instanceof Release.NotHeld
                || outcome instanceof Extension.Lost
                || outcome instanceof ForcedRelease.Broken;
    }

    void check() {
        cluster.masters.stream()
                .flatMap(master -> master.holders(end.resources))
                .filter(token -> token.equals(end.token) || end.operation == Operation.BREAK)
                .filter(token -> end.operation == Operation.EXTEND || !mayOutlastItsLease(token))
                .filter(this::wasAcquiredBefore)
                .filter(token -> end.operation == Operation.BREAK || !isKept(token))
                .forEach(token -> cluster.calls.found(Promise.N, "a value of " + token.text() + " was left by " + end));
    }

    /**
     * A repeated acquire can write one more master for a whole TTL, and an extension too many a minority that missed an
     * earlier one. Such a value outlives the lease, and no majority has it.
     */
    private boolean mayOutlastItsLease(LeaseToken token) {
        return cluster.calls.all().stream()
                        .filter(call -> call.token.equals(token))
                        .filter(call ->
                                call.requestsLease() || call.outcome.orElse(null) instanceof Extension.Exhausted)
                        .count()
                > 1;
    }

    private boolean wasAcquiredBefore(LeaseToken token) {
        return cluster.calls.all().stream()
                .filter(call -> call.requestsLease() && call.token.equals(token))
                .allMatch(call -> call.returned < end.invoked);
    }

    /** A release with a time to keep the lock wants the value for that time, wherever it found the lease. */
    private boolean isKept(LeaseToken token) {
        long now = cluster.events.now();
        return cluster.calls.all().stream()
                .filter(call -> call.token.equals(token) && !call.keep.isZero())
                .anyMatch(call -> now < call.invoked + LONGEST_CALL + call.keep.toNanos() * (1 + 2 * Scale.RATE_ERROR));
    }
}
