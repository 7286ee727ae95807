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

/** Is what is known of why nobody can have the lock yet: what a waiter is told whose time is over. */
final class LastRefusal {
    private final MonotonicClock clock;
    private Acquisition last = new Held(Duration.ZERO, Optional.empty());
    private MonotonicTime noted;
    private boolean doubted;

    LastRefusal(MonotonicClock clock) {
        this.clock = clock;
        this.noted = clock.now();
    }

    /** Notes that the lock may have changed hands since. */
    void doubt() {
        doubted = true;
    }

    /** Returns whether the lease with this token stands, as far as this replica knows. */
    boolean isHeldWith(Optional<LeaseToken> token) {
        return token.isPresent() && holder().equals(token);
    }

    /** Returns whether nobody here knows who holds the lock: it may have changed hands since that was last looked at. */
    boolean isStale() {
        return last instanceof Held && (doubted || left().isZero());
    }

    /** Returns the lease of this service that stands, as far as this replica knows. */
    Optional<LeaseToken> holder() {
        return last instanceof Held held && !isStale() ? held.holder() : Optional.empty();
    }

    /** Returns what is left by now of what stood then. */
    Duration left() {
        return now() instanceof Held held ? held.remaining() : Duration.ZERO;
    }

    /** Notes a grant, and returns whether the lease had been known before. */
    boolean noteGrant(Lease lease, Optional<Owner> owner) {
        boolean known = holder().equals(Optional.of(lease.token()));
        Duration left = known ? lease.validity() : lease.ttl();
        doubted = false;
        note(new Held(left, owner, Optional.of(lease.token()), false, Duration.ZERO));
        return known;
    }

    /** Notes that an attempt begins: what is heard from now on may be later than what it finds. */
    void look() {
        doubted = false;
    }

    void note(Acquisition outcome) {
        last = outcome;
        noted = clock.now();
    }

    /** Tells it as it is by now. */
    Acquisition now() {
        if (last instanceof Held held) {
            Duration left = held.remaining().minus(clock.now().since(noted));
            Duration positive = left.isNegative() ? Duration.ZERO : left;
            return new Held(positive, held.owner(), held.holder(), held.split(), Duration.ZERO);
        }
        return last;
    }
}
