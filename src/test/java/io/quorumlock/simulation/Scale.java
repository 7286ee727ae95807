package io.quorumlock.simulation;

import io.quorumlock.redlock.Drift;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Is the measure of the simulated world: short leases, so that much happens in a minute of its time. */
final class Scale {
    static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
    static final Duration TTL_MAX = Duration.ofSeconds(2);
    static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));
    static final int EXTENSIONS_MAX = 3;
    /** Clocks differ from the truth by less than half of the drift, so from each other by less than the drift. */
    static final double RATE_ERROR = 0.0049;
    /**
     * Is how far the time of day of most masters is from the truth: two of them differ by less than three quarters of the
     * longest TTL (S3), steps included.
     */
    static final Duration WALL_CLOCK_ERROR = TTL_MAX.dividedBy(8);

    /** Is how far a disaster sets the clock of a master in all, either way. */
    static final Duration STEPPED_AT_MOST = TTL_MAX.dividedBy(5);

    /** Is how long a node that may have forgotten gives no vote (R9). */
    static final Duration QUARANTINE = TTL_MAX.plus(DRIFT.of(TTL_MAX)).plusMillis(100);

    static final Duration SESSION_LONGEST = Duration.ofSeconds(4);
    /** Is how long a call may take at most. */
    static final Duration LONGEST_CALL = NODE_TIMEOUT.multipliedBy(2).plusMillis(500);
    /** Is how long after all is well again every resource must be free. */
    static final Duration RECOVERY = TTL_MAX.plus(QUARANTINE).plusSeconds(1);

    private Scale() {}

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
