// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.time.Duration;
import java.util.List;

/**
 * Two replicas of the packaged service on five masters, started once for all tests of a run that use them. A test class
 * needs {@code @ResourceLock(SharedFleet.NAME)} and leaves all masters up.
 */
public final class SharedFleet {
    public static final String NAME = "shared-fleet";
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    public static final List<RedisServer> MASTERS = RedisServers.start(5);
    public static final ServiceProcess ONE = ServiceProcess.on(MASTERS, ServiceProcess.SLOW_MASTERS);
    public static final ServiceProcess TWO = ServiceProcess.on(MASTERS, ServiceProcess.SLOW_MASTERS);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SharedFleet::stop, "stop-shared-fleet"));
    }

    private SharedFleet() {}

    /** Returns when both replicas have the votes of all masters. */
    public static void awaitAllMasters() {
        for (ServiceProcess replica : List.of(ONE, TWO)) {
            Eventually.within(RECOVERY, replica::output, () -> replica.client().nodesUp() == 5);
        }
    }

    private static void stop() {
        ONE.close();
        TWO.close();
        RedisServers.close(MASTERS);
    }
}
