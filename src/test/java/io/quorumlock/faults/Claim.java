package io.quorumlock.faults;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The time in which a client may rely on a lease, by one answer: from the answer until {@code sent + ttl - drift}. */
record Claim(Call call, long from, long until) {

    /** Returns the claim of a call. A lease that ended before the answer arrived has no claim. */
    static Optional<Claim> of(Call call) {
        return Optional.of(call)
                .filter(Call::hasLease)
                .map(granted -> new Claim(granted, granted.returned(), granted.invoked() + length(granted)))
                .filter(claim -> claim.from < claim.until);
    }

    /** Returns the claim, ended at this time if it lasts longer. */
    Claim cut(long end) {
        return end < until ? new Claim(call, from, end) : this;
    }

    /** A replay has the remaining time of an earlier grant. The TTL of a waiter starts with its last attempt. */
    private static long length(Call call) {
        Duration ttl = Duration.ofMillis(call.ttlMs());
        return call.countsElapsedTime()
                ? TimeUnit.MILLISECONDS.toNanos(call.elapsedMs() + call.validityMs())
                : ttl.minus(Setup.DRIFT.of(ttl)).toNanos();
    }
}
