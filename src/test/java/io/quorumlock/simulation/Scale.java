package io.quorumlock.simulation;

import io.quorumlock.redlock.Drift;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The measure of the simulated world: short leases, so that much happens in a minute of its time. */
final class Scale {
    static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
    static final Duration TTL_MAX = Duration.ofSeconds(2);
    static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));
    static final int EXTENSIONS_MAX = 3;
    /** Replicas and masters differ from the truth by less, and so from each other by less than the clock watch tolerates. */
    static final double RATE_ERROR = 0.0009;
    /** Clients spend what is left of the drift. */
    static final double CLIENT_RATE_ERROR = 0.0089;
    /** The time in which a node that may have forgotten gives no vote (R9). */
    static final Duration QUARANTINE = quarantine(TTL_MAX);
    /** The longest TTL of replicas with another setting. */
    static final Duration SHORTER_TTL_MAX = Duration.ofSeconds(1);
    /** Leases are longer where clocks fail: the drift makes up for the steps that the service tolerates. */
    static final Duration TTL_WHERE_CLOCKS_FAIL = Duration.ofMillis(1_300);
    /** Data that is lost without a trace in the data that is left is noticed if it is older. */
    static final long TIME_TO_NOTICE = millis(3_000);
    /** The longest time that a call may take. */
    static final Duration LONGEST_CALL = NODE_TIMEOUT.multipliedBy(2).plusMillis(500);
    /** The time after the last fault in which every resource must become free. */
    static final Duration RECOVERY = TTL_MAX.plus(QUARANTINE).plusSeconds(1);

    /** When each world begins, by the time of day. */
    static final long EPOCH_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    /**
     * The largest error of the time of day of most masters: two of them differ by less than three quarters of the
     * longest TTL (S3), steps included.
     */
    static final Duration WALL_CLOCK_ERROR = TTL_MAX.dividedBy(8);

    /** The most by which the clock of a master is set in all, either way. */
    static final Duration STEPPED_AT_MOST = TTL_MAX.dividedBy(5);

    /** One replica is suspended again after so long: the service judges two suspensions within a second together. */
    static final long BETWEEN_SUSPENSIONS = millis(4_000);
    /** Shorter ones are pauses of a virtual machine, of which its kernel knows nothing. */
    static final long SUSPENSION_OF_A_HOST = millis(500);

    /** Clocks are read once a second, and the quarantine must be written. */
    static final Duration CLOCK_FAULT_IS_NOTICED = Duration.ofMillis(1_300);

    static final Duration SESSION_LONGEST = Duration.ofSeconds(4);

    private Scale() {}

    static Duration quarantine(Duration ttlMax) {
        return ttlMax.plus(DRIFT.of(ttlMax)).plusMillis(100);
    }

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
