// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The last known reason why the lock could not be acquired.
 *
 * @param at when it was known
 */
record Refusal(Acquisition outcome, MonotonicTime at) {

    /** Returns the refusal of a lock of which nothing is known. */
    static Refusal unknown(ResourceName resource, MonotonicTime at) {
        return new Refusal(new Held(resource, Optional.empty(), Duration.ZERO), at);
    }

    /** Returns the refusal of the others because of a lease that was granted here. */
    static Refusal by(ResourceName resource, Lease lease, Duration remaining, AcquireTerms terms, MonotonicTime at) {
        Held.Taken taken = new Held.Taken(
                resource,
                terms.owner(),
                remaining,
                Optional.of(lease.token()),
                false,
                terms.kind().equals(LockKind.SHARED));
        return new Refusal(new Held(List.of(taken), false, Duration.ZERO), at);
    }

    /** Returns the outcome with the time that remains now. */
    Acquisition outcome(MonotonicTime now) {
        return outcome instanceof Held held ? held.later(now.since(at)).after(Duration.ZERO) : outcome;
    }

    /** Returns the token of the holder, if it is known. */
    Optional<LeaseToken> holder() {
        return outcome instanceof Held held ? held.holder() : Optional.empty();
    }

    /** Returns the remaining time of the lock. */
    Duration remaining(MonotonicTime now) {
        Duration remaining = outcome instanceof Held held ? held.remaining().minus(now.since(at)) : Duration.ZERO;
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }
}
