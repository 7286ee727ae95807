package io.quorumlock.faults;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Is the time in which a client may count on a lease, by one answer: from the answer until {@code sent + ttl - drift}. */
record Claim(Call call, long from, long until) {

    /** Reads the claim from a call, if it brought one; a lease that is over when the answer arrives claims nothing. */
    static Optional<Claim> of(Call call) {
        return Optional.of(call)
                .filter(Call::hasLease)
                .map(granted -> new Claim(granted, granted.returned(), granted.invoked() + length(granted)))
                .filter(claim -> claim.from < claim.until);
    }

    /** Ends the claim at a moment, if it lasts until then. */
    Claim cut(long end) {
        return end < until ? new Claim(call, from, end) : this;
    }

    /** A replay has what is left of an earlier grant, and the TTL of a client that waited begins with its last attempt. */
    private static long length(Call call) {
        Duration ttl = Duration.ofMillis(call.ttlMs());
        return call.countsElapsedTime()
                ? TimeUnit.MILLISECONDS.toNanos(call.elapsedMs() + call.validityMs())
                : ttl.minus(Setup.DRIFT.of(ttl)).toNanos();
    }
}
