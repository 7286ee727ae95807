// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The times at which the holder of one token gave up its leases, whatever the outcome, or an operator broke them.
 *
 * @param forced forced releases of any resource
 */
record Endings(List<Call> calls, List<Call> forced) {
    /** A release that a master did not acknowledge is repeated for the longest TTL. */
    private static final long REPEATED = (long) (Scale.TTL_MAX.toNanos() * (1 + 2 * Scale.RATE_ERROR));

    /** Returns when a lease of this call, with votes requested at {@code asked}, was given up or broken. */
    long of(Call lease, long asked) {
        return Stream.of(released(asked), tooShort(asked), broken(lease, asked))
                .flatMapToLong(ends -> ends)
                .min()
                .orElse(Call.NEVER);
    }

    /** An earlier release, which is still repeated, can end a later lease of the same token. */
    private LongStream released(long asked) {
        return calls.stream()
                .filter(call -> call.kind == Kind.RELEASE)
                .filter(call -> !call.isDecided() || asked < call.decided + REPEATED)
                .mapToLong(call -> call.invoked);
    }

    /**
     * A call that reported too little validity ends only leases whose votes were requested before its own end. A call without an
     * answer that required a validity may have released the lease.
     */
    private LongStream tooShort(long asked) {
        return calls.stream()
                .filter(call -> call.gaveUp && call.decided > asked || mayGiveUp(call) && call.invoked > asked)
                .mapToLong(call -> call.invoked);
    }

    private static boolean mayGiveUp(Call call) {
        return (call.kind == Kind.ACQUIRE || call.kind == Kind.EXTEND)
                && !call.minValidity.isZero()
                && call.outcome.isEmpty();
    }

    /** A forced release ends only leases that were acquired or extended before its own end. */
    private LongStream broken(Call lease, long asked) {
        return forced.stream()
                .filter(force -> force.resource.equals(lease.resource) && mayBreak(force))
                .filter(force -> asked < end(force))
                .mapToLong(force -> force.invoked);
    }

    /** A disconnect of the operator does not end the operation: a paused replica executes it when it resumes. */
    private static long end(Call force) {
        return force.outcome.isPresent() ? force.decided : Call.NEVER;
    }

    private static boolean mayBreak(Call force) {
        Object outcome = force.outcome.orElse(null);
        return outcome == null
                || outcome instanceof ForcedRelease.Broken
                || outcome instanceof ForcedRelease.Unconfirmed;
    }
}
