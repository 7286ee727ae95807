package io.quorumlock.simulation;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Knows when the holder of one token gave up what it had, whatever came of it, and when an operator broke it.
 *
 * @param forced forced releases of any resource
 */
record Endings(List<Call> calls, List<Call> forced) {
    /** A release that a master did not acknowledge is repeated for as long as any lease lasts. */
    private static final long REPEATED = (long) (Scale.TTL_MAX.toNanos() * (1 + 2 * Scale.RATE_ERROR));

    /** Finds when a lease of this call, whose votes were asked for then, was given up or broken. */
    long of(Call lease, long asked) {
        LongStream ends = LongStream.concat(LongStream.concat(released(asked), tooShort(asked)), broken(lease, asked));
        return Math.min(lease.stopped, ends.min().orElse(Call.NEVER));
    }

    /** Who takes its token again for another lease may lose that by an earlier release, as long as it is repeated. */
    private LongStream released(long asked) {
        return calls.stream()
                .filter(call -> call.kind == Kind.RELEASE)
                .filter(call -> !call.isDecided() || asked < call.decided + REPEATED)
                .mapToLong(call -> call.invoked);
    }

    /** A call for which too little was left touches no lease that was asked for after its own end. */
    private LongStream tooShort(long asked) {
        return calls.stream()
                .filter(call -> call.gaveUp && call.decided > asked)
                .mapToLong(call -> call.invoked);
    }

    /** A forced release touches no lease that was asked for, or extended, after its own end. An earlier one it may break. */
    private LongStream broken(Call lease, long asked) {
        return forced.stream()
                .filter(force -> force.resource.equals(lease.resource) && mayBreak(force))
                .filter(force -> asked < end(force))
                .mapToLong(force -> force.invoked);
    }

    /** An operator that hangs up ends nothing. */
    private static long end(Call force) {
        return force.outcome.isPresent() ? force.decided : force.invoked + REPEATED;
    }

    private static boolean mayBreak(Call force) {
        Object outcome = force.outcome.orElse(null);
        return outcome == null
                || outcome instanceof ForcedRelease.Broken
                || outcome instanceof ForcedRelease.Unconfirmed;
    }
}
