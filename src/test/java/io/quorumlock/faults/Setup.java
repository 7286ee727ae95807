package io.quorumlock.faults;

import io.quorumlock.redlock.Drift;
import java.time.Duration;
import java.util.Map;

/** The measure of a run: short leases and a short quarantine, so that much happens in two minutes. */
final class Setup {
    static final int MASTERS = 5;
    static final int REPLICAS = 2;
    static final int RESOURCES = 60;
    static final int PROCESSES = 4;
    static final int THREADS = 12;
    /** As long as the shortest TTL allows: the machine may be busy. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(95);

    static final Duration TTL_MAX = Duration.ofSeconds(2);
    static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));
    static final Duration QUARANTINE = TTL_MAX.plus(DRIFT.of(TTL_MAX)).plusSeconds(1);
    /** The time in which clients use other resources first: a cold JVM is slow. */
    static final Duration WARM_UP = Duration.ofSeconds(6);
    /** The most extensions of one lease; a lease of a bare majority lives no longer than this times its TTL. */
    static final int EXTENSIONS = 2;
    /** The longest time for which a lease outlasts the absence of a master. A master must not forget before that (R9). */
    static final Duration LONGEST_LEASE = TTL_MAX.multipliedBy(EXTENSIONS + 1L).plusMillis(500);

    static final String RESOURCES_IN = "fault/";

    private Setup() {}

    /** Configures the service; all else has its default. */
    static Map<String, String> environment(String nodes) {
        return Map.of(
                "QUORUMLOCK_NODES",
                nodes,
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "true",
                "QUORUMLOCK_NODE_TIMEOUT",
                NODE_TIMEOUT.toMillis() + "ms",
                "QUORUMLOCK_TTL_DEFAULT",
                "1s",
                "QUORUMLOCK_TTL_MAX",
                TTL_MAX.toMillis() + "ms");
    }
}
