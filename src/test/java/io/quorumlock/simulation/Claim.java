package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import java.time.Duration;
import java.util.Optional;

/** Is the time in which a client may count on a lease, by one answer: from the answer until {@code sent + waited + ttl - drift}. */
record Claim(Call call, Lease lease, long from, long until) {

    /** Reads the claim from a call, if it brought one; a lease that is over when the answer arrives claims nothing. */
    static Optional<Claim> of(Call call, long givenUp) {
        return lease(call)
                .map(lease -> new Claim(call, lease, call.returned, Math.min(end(call, lease), givenUp)))
                .filter(claim -> claim.from < claim.until);
    }

    static Optional<Lease> lease(Call call) {
        Object outcome = call.outcome.orElse(null);
        if (outcome instanceof Acquisition.Acquired acquired) {
            return Optional.of(acquired.lease());
        }
        if (outcome instanceof Acquisition.Replayed replayed) {
            return Optional.of(replayed.lease());
        }
        return outcome instanceof Extension.Extended extended ? Optional.of(extended.lease()) : Optional.empty();
    }

    /** A replay has what is left of an earlier grant, and who waited may have some votes of an earlier attempt. */
    private static long end(Call call, Lease lease) {
        boolean whole = call.patience.isZero() && !(call.outcome.orElseThrow() instanceof Acquisition.Replayed);
        Duration length =
                !whole ? lease.validity().plus(lease.elapsed()) : lease.ttl().minus(Scale.DRIFT.of(lease.ttl()));
        return call.invoked + (long) (lease.waited().plus(length).toNanos() / call.clockRate);
    }
}
