package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;
import java.util.Optional;

/** Is what is known of why nobody can have the lock yet: what a waiter is told whose time is over. */
final class Refusal {
    private final MonotonicClock clock;
    private Acquisition last = new Held(Duration.ZERO, Optional.empty());
    private Moment noted;

    Refusal(MonotonicClock clock) {
        this.clock = clock;
        this.noted = clock.now();
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
