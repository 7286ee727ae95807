// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The last known reason why the lock cannot be acquired, for waiters whose time is over. */
final class LastRefusal {
    /**
     * The time for which a refusal is trusted. Later its holder may have changed, because announcements can be lost.
     */
    private static final Duration RELIABLE_FOR = Duration.ofMillis(50);

    private final MonotonicClock clock;
    private Acquisition last = new Held(Duration.ZERO, Optional.empty());
    private MonotonicTime recordedAt;
    private MonotonicTime attemptStartedAt;
    private MonotonicTime basedOn;
    private boolean stale;

    LastRefusal(MonotonicClock clock) {
        this.clock = clock;
        this.recordedAt = clock.now();
        this.attemptStartedAt = recordedAt;
        this.basedOn = recordedAt;
    }

    /** Notes that the holder may have changed since the refusal. */
    void markStale() {
        stale = true;
    }

    /** Returns whether this token holds the lock, as far as this replica knows. */
    boolean isHeldBy(Optional<LeaseToken> token) {
        return token.isPresent() && holder().equals(token);
    }

    /** Returns whether the holder is unknown, because it may have changed since the last attempt. */
    boolean isStale() {
        return last instanceof Held && (stale || remaining().isZero());
    }

    /** Returns whether another token than that of the refusal may hold the lock now. */
    boolean mayBeOutdated() {
        return isStale() || !clock.now().isBefore(recordedAt.plus(RELIABLE_FOR));
    }

    /** Returns whether another token than that of the refusal may have held the lock at this time or later. */
    boolean mayHideHolderSince(MonotonicTime time) {
        return last instanceof Held && (isStale() || basedOn.isBefore(time));
    }

    /** Returns the token that holds the lock, as far as this replica knows; empty for a lock of another program. */
    Optional<LeaseToken> holder() {
        return last instanceof Held held && !isStale() ? held.holder() : Optional.empty();
    }

    /** Returns the remaining time of the lock. */
    Duration remaining() {
        return current() instanceof Held held ? held.remaining() : Duration.ZERO;
    }

    /**
     * Records a grant, and returns whether the lease was known before.
     *
     * @param again whether the lease had been granted earlier, so that a part of its TTL is over
     */
    boolean recordGrant(Lease lease, Optional<Owner> owner, boolean again) {
        boolean known = holder().equals(Optional.of(lease.token()));
        Duration remaining = known || again ? lease.validity() : lease.ttl();
        stale = false;
        record(new Held(remaining, owner, Optional.of(lease.token()), false, Duration.ZERO));
        return known;
    }

    /** Notes the start of an attempt. Later announcements may be newer than its outcome. */
    void attemptStarted() {
        stale = false;
        attemptStartedAt = clock.now();
    }

    void record(Acquisition outcome) {
        last = outcome;
        recordedAt = clock.now();
        basedOn = attemptStartedAt;
    }

    /** Returns the refusal with the current remaining time. */
    Acquisition current() {
        if (last instanceof Held held) {
            Duration remaining = held.remaining().minus(clock.now().since(recordedAt));
            Duration positive = remaining.isNegative() ? Duration.ZERO : remaining;
            return new Held(positive, held.owner(), held.holder(), held.split(), Duration.ZERO);
        }
        return last;
    }
}
