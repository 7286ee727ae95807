// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The configuration of a server process.
 *
 * @param name of the configuration, and of its log file
 * @param java the home of the JDK
 * @param arguments for the JVM, including what to run
 * @param settings environment variables
 * @param readyPath the path that answers 200 when the server is ready
 */
record ServiceConfig(String name, Path java, List<String> arguments, Map<String, String> settings, String readyPath) {
    static final String RUNNER = "quarkus-run.jar";
    /** Ten times the default: a busy machine delays replies. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

    private static final Path APPLICATION = Path.of("target/quarkus-app");
    private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));
    /** Short, because the restart guard withholds votes for a little longer than the longest TTL. */
    private static final String TTL = "1s";

    /** The service with fencing tokens and restart guard. */
    static final ServiceConfig FULL =
            of("full").with("QUORUMLOCK_TTL_MAX", TTL).with("QUORUMLOCK_RESTART_GUARD_ENABLED", "true");

    /** The service with the default node timeout, which limits the effect of stopped masters. */
    static final ServiceConfig DEFAULT_TIMEOUT = FULL.named("default-timeout").with("QUORUMLOCK_NODE_TIMEOUT", "50ms");

    /** The service with the heap of a sidecar. */
    static final ServiceConfig SMALL = of("small").option("-Xmx64m");

    /** The service with the highest limits for waiting clients and event streams. */
    static final ServiceConfig MANY_WAITERS = of("many-waiters").withManyWaiters();

    /** The service with the options of the image, as in a container of 384 MiB, the size of a sidecar. */
    static final ServiceConfig CAPACITY = of("capacity")
            .with("QUORUMLOCK_TTL_MAX", "5m")
            .with("QUORUMLOCK_RESTART_GUARD_ENABLED", "true")
            .with("QUORUMLOCK_MASTERS_PERSIST", "true")
            .option("-XX:+UseSerialGC") // the choice of the JVM below 2 GiB
            .option("-XX:MaxRAM=384m")
            .option("-XX:MaxRAMPercentage=60")
            .option("-XX:MaxDirectMemorySize=64m");

    /** Returns the packaged service without the restart guard, so that it can grant locks as soon as it is ready. */
    static ServiceConfig of(String name) {
        Map<String, String> settings = Map.of(
                "QUARKUS_HTTP_HOST",
                "127.0.0.1",
                "QUARKUS_HTTP_PORT",
                "0",
                "QUORUMLOCK_NODE_TIMEOUT",
                NODE_TIMEOUT.toMillis() + "ms",
                "QUORUMLOCK_TTL_MIN",
                TTL,
                "QUORUMLOCK_TTL_DEFAULT",
                TTL,
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "false");
        return new ServiceConfig(name, OWN_JAVA, List.of(), settings, "/q/health/ready").application(APPLICATION);
    }

    ServiceConfig with(String key, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(key, value);
        return new ServiceConfig(name, java, arguments, more, readyPath);
    }

    /** Removes the settings of masters. */
    ServiceConfig withoutMasters() {
        Map<String, String> fewer = new HashMap<>(settings);
        fewer.keySet().removeAll(Set.of("QUORUMLOCK_NODE_TIMEOUT", "QUORUMLOCK_RESTART_GUARD_ENABLED"));
        return new ServiceConfig(name, java, arguments, fewer, readyPath);
    }

    ServiceConfig withManyWaiters() {
        return with("QUORUMLOCK_TTL_MAX", "1h")
                .with("QUORUMLOCK_WAIT_MAX", "60s")
                .with("QUORUMLOCK_WAITERS_MAX", "20000")
                .with("QUORUMLOCK_WAITERS_MAX_PER_RESOURCE", "20000")
                .with("QUORUMLOCK_EVENTS_STREAMS_MAX", "20000");
    }

    /** Adds a JVM option. */
    ServiceConfig option(String option) {
        List<String> more = new ArrayList<>(List.of(option));
        more.addAll(arguments);
        return new ServiceConfig(name, java, more, settings, readyPath);
    }

    /** Runs the application in this folder instead; drops JVM options. */
    ServiceConfig application(Path folder) {
        List<String> jar = List.of("-jar", folder.resolve(RUNNER).toString());
        return new ServiceConfig(name, java, jar, settings, readyPath);
    }

    ServiceConfig named(String name) {
        return new ServiceConfig(name, java, arguments, settings, readyPath);
    }

    List<String> command() {
        List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString()));
        command.addAll(arguments);
        return command;
    }
}
