// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.core.loop.Drift;
import io.quorumlock.history.HistoryLimits;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.util.Map;

/** The scale of a run. Leases and quarantine are short, so that there are many events in two minutes. */
final class Setup {
    static final int MASTERS = 5;
    static final int REPLICAS = 2;
    static final int RESOURCES = 60;
    static final int PROCESSES = 4;
    static final int THREADS = 12;
    /** The longest timeout that the shortest TTL allows, because the machine can be busy. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(95);

    static final Duration TTL_MAX = Duration.ofSeconds(2);
    static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));
    /** The longest time of a call on a machine with enough CPU time. */
    static final Duration LONGEST_CALL = NODE_TIMEOUT.multipliedBy(2).plusMillis(500);
    /** A limit that only a hang exceeds. */
    private static final Duration BUSY_MACHINE = Duration.ofSeconds(5);

    static final int EXTENSIONS_MAX = 1_000;

    static final HistoryLimits LIMITS =
            new HistoryLimits(DRIFT, 0, LONGEST_CALL.plus(BUSY_MACHINE), EXTENSIONS_MAX, MASTERS);
    static final Duration QUARANTINE = TTL_MAX.plus(DRIFT.of(TTL_MAX)).plusSeconds(1);
    /** The time in which clients warm up the JVM with other resources. */
    static final Duration WARM_UP = Duration.ofSeconds(6);
    /** The maximum number of extensions. It limits the lifetime of a lease on a bare majority. */
    static final int EXTENSIONS = 2;
    /** The longest lifetime of a lease granted while a master was down. A master must not lose data before its end (R9). */
    static final Duration LONGEST_LEASE = TTL_MAX.multipliedBy(EXTENSIONS + 1L).plusMillis(500);

    static final String RESOURCES_IN = "fault/";

    private Setup() {}

    /** Returns the environment of a replica. */
    static Map<String, String> environment(String nodes) {
        return ServiceProcess.guarded(
                nodes,
                Map.of(
                        "QUORUMLOCK_NODE_TIMEOUT",
                        NODE_TIMEOUT.toMillis() + "ms",
                        "QUORUMLOCK_TTL_DEFAULT",
                        "1s",
                        "QUORUMLOCK_TTL_MAX",
                        TTL_MAX.toMillis() + "ms",
                        // The checker counts the extensions of a lease.
                        "QUORUMLOCK_EXTENSIONS_MAX",
                        Integer.toString(EXTENSIONS_MAX)));
    }
}
