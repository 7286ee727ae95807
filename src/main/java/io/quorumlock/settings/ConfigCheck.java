// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.redis.MasterAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** The checks of settings. Each problem is {@code VARIABLE=value: what is wrong; what to write}. */
public final class ConfigCheck {
    private static final Duration DEFAULT_TTL_MIN = Duration.ofMillis(100);
    private static final Duration DEFAULT_TTL_MAX = Duration.ofSeconds(60);
    private static final Duration DEFAULT_TTL_MAX_PERSISTENT = Duration.ofHours(1);
    private static final Duration LONGEST_TTL = Duration.ofHours(24);
    private static final Duration LONGEST_RELOAD = Duration.ofHours(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    private final List<String> problems = new ArrayList<>();

    private ConfigCheck() {}

    /**
     * Checks all settings, without network and ports.
     *
     * @param environment names of all environment variables
     */
    public static void checkAll(QuorumlockConfig config, Config all, Collection<String> environment) {
        Mistakes.runAll(
                () -> UnknownSettingsCheck.check(environment),
                () -> check(config),
                () -> StoreCheck.checkUnused(config),
                () -> checkServers(config),
                () -> BindAddressCheck.check(config.security(), isTrial(config), all));
    }

    /** Returns whether the masters or the ensemble are temporary ones. */
    public static boolean isTrial(QuorumlockConfig config) {
        return config.embedded()
                && switch (config.engine()) {
                    case REDLOCK -> nodes(config).isEmpty();
                    case ZOOKEEPER -> config.zookeeper().servers().isEmpty();
                    case ETCD -> false;
                };
    }

    /** Returns a warning if temporary servers are requested and not used. */
    public static Optional<String> unusedTrial(QuorumlockConfig config) {
        return config.embedded() && !isTrial(config)
                ? Optional.of(
                        "QUORUMLOCK_EMBEDDED=true is ignored, because servers are set: remove one of the two settings")
                : Optional.empty();
    }

    /** Returns the maximum TTL of a request. It may be long by default where a restart needs no quarantine. */
    public static Duration longestTtl(QuorumlockConfig config) {
        boolean persists = config.engine() != EngineKind.REDLOCK || config.mastersPersist();
        return config.ttl().max().orElse(persists ? DEFAULT_TTL_MAX_PERSISTENT : DEFAULT_TTL_MAX);
    }

    /** Returns the minimum TTL of a request. By default it is 100 ms, or more if a call may take longer. */
    public static Duration shortestTtl(QuorumlockConfig config) {
        Duration least = longerThanCall(config);
        return config.ttl().min().orElse(least.compareTo(DEFAULT_TTL_MIN) > 0 ? least : DEFAULT_TTL_MIN);
    }

    /** Returns the shortest TTL that is longer than a call to a master, or to the store, and the drift. */
    private static Duration longerThanCall(QuorumlockConfig config) {
        Duration call = callTimeout(config).plus(config.drift().constant());
        return Duration.ofMillis(
                (long) Math.ceil((call.toMillis() + 1) / (1 - config.drift().factor())));
    }

    private static String timeoutKey(QuorumlockConfig config) {
        return switch (config.engine()) {
            case REDLOCK -> "quorumlock.node.timeout";
            case ZOOKEEPER -> "quorumlock.zookeeper.timeout";
            case ETCD -> "quorumlock.etcd.timeout";
        };
    }

    private static Duration callTimeout(QuorumlockConfig config) {
        return switch (config.engine()) {
            case REDLOCK -> config.node().timeout();
            case ZOOKEEPER -> config.zookeeper().timeout();
            case ETCD -> config.etcd().timeout();
        };
    }

    static Optional<List<String>> nodes(QuorumlockConfig config) {
        return config.nodes().filter(nodes -> !nodes.isEmpty());
    }

    private static void checkServers(QuorumlockConfig config) {
        switch (config.engine()) {
            case REDLOCK -> checkNodes(config);
            case ZOOKEEPER, ETCD -> StoreCheck.checkServers(config);
        }
    }

    static void checkNodes(QuorumlockConfig config) {
        nodes(config).ifPresent(ConfigCheck::addresses);
        if (nodes(config).isEmpty() && !config.embedded()) {
            throw new ConfigurationException(
                    "QUORUMLOCK_NODES: not set; write your Redis masters, for example"
                            + " QUORUMLOCK_NODES=redis://a:6379,redis://b:6379,redis://c:6379,redis://d:6379,redis://e:6379."
                            + " To try the service without masters, write QUORUMLOCK_EMBEDDED=true: it starts five temporary ones");
        }
    }

    /** Checks the values that need nothing but each other. */
    static void check(QuorumlockConfig config) {
        ConfigCheck check = new ConfigCheck();
        check.checkMasters(config);
        new StoreCheck(check).check(config);
        check.checkLeases(config);
        check.checkLimits(config);
        check.checkSecurity(config.security());
        Mistakes.refuse(check.problems);
    }

    private void checkMasters(QuorumlockConfig config) {
        atLeast("node.timeout", config.node().timeout(), Duration.ofMillis(1));
        atLeast("node.connect-timeout", config.node().connectTimeout(), Duration.ofMillis(1));
        config.node().caFile().ifPresent(file -> {
            if (Files.notExists(file)) {
                refuse("node.ca-file", file, "no such file; write the path of a PEM file");
            } else if (!hasCertificate(file)) {
                refuse("node.ca-file", file, "not a PEM file with certificates; write the path of one");
            } else if (nodes(config).stream().flatMap(List::stream).noneMatch(url -> url.contains("rediss://"))) {
                refuse("node.ca-file", file, "no master uses TLS; write rediss:// in QUORUMLOCK_NODES");
            }
        });
    }

    private static boolean hasCertificate(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(CERTIFICATE);
        } catch (IOException e) {
            return false;
        }
    }

    private void checkLeases(QuorumlockConfig config) {
        double factor = config.drift().factor();
        if (!(factor >= 0 && factor < 0.5)) {
            refuse("drift.factor", factor, "out of range; write a number from 0, below 0.5");
            return;
        }
        atLeast("drift.constant", config.drift().constant(), Duration.ZERO);
        QuorumlockConfig.Ttl ttl = config.ttl();
        Duration longest = longestTtl(config);
        Duration shortest = shortestTtl(config);
        Duration least = longerThanCall(config);
        if (shortest.compareTo(least) < 0) {
            refuse(
                    "ttl.min",
                    shortest,
                    "too short for %1$s=%2$s and the drift; write at least %3$s, or lower %1$s"
                            .formatted(
                                    Mistakes.variable(timeoutKey(config)), shown(callTimeout(config)), shown(least)));
        }
        // Each message names both settings, because either may be the wrong one. Without ttl.min, the timeout decides.
        boolean byTimeout = ttl.min().isEmpty() && shortest.equals(least);
        String lower = Mistakes.variable(byTimeout ? timeoutKey(config) : "quorumlock.ttl.min");
        String tooShort = "shorter than the shortest TTL, %1$s; write at least %1$s, or lower %2$s"
                .formatted(shown(shortest), lower);
        if (longest.compareTo(shortest) < 0) {
            refuse("ttl.max", longest, tooShort);
        } else if (ttl.defaultTtl().compareTo(shortest) < 0) {
            refuse("ttl.default", ttl.defaultTtl(), tooShort);
        } else if (ttl.defaultTtl().compareTo(longest) > 0) {
            refuse(
                    "ttl.default",
                    ttl.defaultTtl(),
                    "longer than QUORUMLOCK_TTL_MAX=%1$s; write at most %1$s, or raise QUORUMLOCK_TTL_MAX"
                            .formatted(shown(longest)));
        }
        atMost("ttl.max", longest, LONGEST_TTL);
        if (config.fencePrefix().equals(config.lockPrefix().orElse(""))) {
            refuse("fence-prefix", config.fencePrefix(), "equal to QUORUMLOCK_LOCK_PREFIX; write another prefix");
        }
        config.extensions().max().ifPresent(most -> atLeast("extensions.max", most, 0));
    }

    private void checkLimits(QuorumlockConfig config) {
        atLeast("wait.max", config.waiting().max(), Duration.ZERO);
        atMost("wait.max", config.waiting().max(), LONGEST_WAIT);
        atLeast("events.heartbeat", config.events().heartbeat(), Duration.ofMillis(100));
        atMost("events.heartbeat", config.events().heartbeat(), LONGEST_WAIT);
        atLeast("events.streams-max", config.events().streamsMax(), 1);
        atLeast("session.max-count", config.session().maxCount(), 1);
        atLeast("requests.max-in-flight", config.requests().maxInFlight(), 1);
        atLeast("requests.reserved", config.requests().reserved(), 1);
        atLeast("waiters.max", config.waiters().max(), 1);
        atLeast("waiters.max-per-resource", config.waiters().maxPerResource(), 1);
    }

    private void checkSecurity(QuorumlockConfig.Security security) {
        atLeast("security.reload-period", security.reloadPeriod(), Duration.ofMillis(100));
        atMost("security.reload-period", security.reloadPeriod(), LONGEST_RELOAD);
        security.hosts().stream()
                .flatMap(Collection::stream)
                .filter(host -> host.matches(".*[/:\\s].*"))
                .forEach(host -> refuse(
                        "security.hosts", host, "not a host name; write it without scheme, port, path and spaces"));
    }

    /** Parses the addresses. Rejects an even number and duplicates (R2). No message contains a password. */
    public static List<MasterAddress> addresses(List<String> urls) {
        List<String> problems = new ArrayList<>();
        List<MasterAddress> addresses = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (int entry = 1; entry <= urls.size(); entry++) {
            try {
                MasterAddress address = new MasterAddress(urls.get(entry - 1).strip());
                Integer first = seen.putIfAbsent(address.hostAndPort(), entry);
                if (first != null) {
                    problems.add(
                            "QUORUMLOCK_NODES: entry %d is the same server as entry %d (%s); write each master once"
                                    .formatted(entry, first, address));
                }
                addresses.add(address);
            } catch (IllegalArgumentException e) {
                problems.add("QUORUMLOCK_NODES: entry %d %s".formatted(entry, e.getMessage()));
            }
        }
        if (problems.isEmpty() && urls.size() % 2 == 0) {
            problems.add(("QUORUMLOCK_NODES: has %d masters; write an odd number, normally 5: an even number tolerates"
                            + " no more failures than one master less")
                    .formatted(urls.size()));
        }
        Mistakes.refuse(problems);
        return addresses;
    }

    void atLeast(String key, int value, int least) {
        if (value < least) {
            refuse(key, value, "too small; write at least " + least);
        }
    }

    void atLeast(String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            refuse(key, value, "too short; write at least " + shown(least));
        }
    }

    private void atMost(String key, Duration value, Duration most) {
        if (value.compareTo(most) > 0) {
            refuse(key, value, "too long; write at most " + shown(most));
        }
    }

    void refuse(String key, Object value, String why) {
        problems.add(Mistakes.variable("quorumlock." + key) + "=" + shown(value) + ": " + why);
    }

    /** Returns a duration in the largest unit in which it is whole, other values as text. */
    public static String shown(Object value) {
        if (!(value instanceof Duration duration)) {
            return value.toString();
        }
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis + "ms";
        }
        if (millis % 60_000 != 0) {
            return millis / 1000 + "s";
        }
        return millis % 3_600_000 != 0 ? millis / 60_000 + "m" : millis / 3_600_000 + "h";
    }
}
