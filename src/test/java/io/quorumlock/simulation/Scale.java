// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.loop.Drift;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The scale of a simulated run. Leases are short, so that there are many events per minute. */
final class Scale {
    static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
    static final Duration TTL_MAX = Duration.ofSeconds(2);
    static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));
    static final int EXTENSIONS_MAX = 3;
    /**
     * The error of the clocks of replicas and masters. The difference of two clocks is less than the clock watch
     * tolerates.
     */
    static final double RATE_ERROR = 0.0009;
    /** The error of clients' clocks, which is the rest of the drift. */
    static final double CLIENT_RATE_ERROR = 0.0089;
    /** The time in which a master that may have lost votes does not vote (R9). */
    static final Duration QUARANTINE = quarantine(TTL_MAX);
    /** The longest TTL of replicas with another setting. */
    static final Duration SHORTER_TTL_MAX = Duration.ofSeconds(1);
    /** The TTL in runs with clock faults. It is longer, because the drift must cover the tolerated steps. */
    static final Duration TTL_WHERE_CLOCKS_FAIL = Duration.ofMillis(1_300);
    /** The longest duration of a call. */
    static final Duration LONGEST_CALL = NODE_TIMEOUT.multipliedBy(2).plusMillis(500);
    /** The time after the last fault in which every resource becomes free. */
    static final Duration RECOVERY = TTL_MAX.plus(QUARANTINE).plusSeconds(1);

    /** The time of day at the start of each run. */
    static final long EPOCH_MILLIS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    /**
     * The largest error of the time of day of most masters. Two of them differ by less than three quarters of the
     * longest TTL (S3), including steps.
     */
    static final Duration WALL_CLOCK_ERROR = TTL_MAX.dividedBy(8);

    /** The largest sum of all steps of a master's clock, in either direction. */
    static final Duration STEPPED_AT_MOST = TTL_MAX.dividedBy(5);

    /** The time between two suspensions of one replica. The service treats two suspensions within a second as one. */
    static final long BETWEEN_SUSPENSIONS = millis(4_000);
    /** The shortest suspension that the kernel knows of. Shorter ones are pauses of a virtual machine. */
    static final long SUSPENSION_OF_A_HOST = millis(500);

    /**
     * The time until a clock fault is detected and the quarantine written. Clocks are read once a second. The decision whether
     * the own clock had stopped takes up to two seconds more.
     */
    static final Duration CLOCK_FAULT_IS_NOTICED = Duration.ofMillis(3_300);

    /** The time after which a client closes its session. */
    static final Duration SESSION_LONGEST = Duration.ofSeconds(4);

    private Scale() {}

    static Duration quarantine(Duration ttlMax) {
        return ttlMax.plus(DRIFT.of(ttlMax)).plusMillis(100);
    }

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
