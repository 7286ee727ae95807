package io.quorumlock.simulation;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

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
        return Stream.of(released(asked), stopped(lease, asked), tooShort(asked), broken(lease, asked))
                .flatMapToLong(ends -> ends)
                .min()
                .orElse(Call.NEVER);
    }

    /**
     * The client of a session that stopped does not count on later extensions. Such a session may also have taken over the lease of
     * an earlier call.
     */
    private LongStream stopped(Call lease, long asked) {
        return calls.stream()
                .filter(call -> call.stopped != Call.NEVER)
                .filter(call -> call == lease || asked < call.stopped + REPEATED)
                .mapToLong(call -> call.stopped);
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

    /** An operator that hangs up ends nothing: a replica that was paused carries it out whenever it runs again. */
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
