// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.redis.MasterAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The checks of settings. Each message is {@code VARIABLE=value: what is wrong; what to write}. */
final class ConfigCheck {
    private static final Duration LONGEST_TTL = Duration.ofHours(24);
    private static final Duration LONGEST_RELOAD = Duration.ofHours(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private ConfigCheck() {}

    static void check(QuorumlockConfig config) {
        Duration timeout = config.node().timeout();
        QuorumlockConfig.Ttl ttl = config.ttl();
        atLeast("node.timeout", timeout, Duration.ofMillis(1));
        atLeast("node.connect-timeout", config.node().connectTimeout(), Duration.ofMillis(1));
        config.node().caFile().filter(Files::notExists).ifPresent(missing -> {
            throw refused("node.ca-file", missing, "no such file; write the path of a PEM file");
        });
        double factor = config.drift().factor();
        if (!(factor >= 0 && factor < 0.5)) {
            throw refused("drift.factor", factor, "out of range; write a number from 0, below 0.5");
        }
        atLeast("drift.constant", config.drift().constant(), Duration.ZERO);
        // Longer than the timeout and the drift.
        Duration shortest = Duration.ofMillis(
                (long) Math.ceil((timeout.plus(config.drift().constant()).toMillis() + 1) / (1 - factor)));
        if (ttl.min().compareTo(shortest) < 0) {
            throw refused(
                    "ttl.min",
                    ttl.min(),
                    "too short for QUORUMLOCK_NODE_TIMEOUT=%s and the drift; write at least %s, or lower QUORUMLOCK_NODE_TIMEOUT"
                            .formatted(shown(timeout), shown(shortest)));
        }
        notLonger("ttl.min", ttl.min(), "ttl.default", ttl.defaultTtl());
        notLonger("ttl.default", ttl.defaultTtl(), "ttl.max", ttl.max());
        atMost("ttl.max", ttl.max(), LONGEST_TTL);
        if (config.fencePrefix().equals(config.lockPrefix().orElse(""))) {
            throw refused(
                    "fence-prefix", config.fencePrefix(), "equal to QUORUMLOCK_LOCK_PREFIX; write another prefix");
        }
        atLeast("wait.max", config.waiting().max(), Duration.ZERO);
        atMost("wait.max", config.waiting().max(), LONGEST_WAIT);
        atLeast("events.heartbeat", config.events().heartbeat(), Duration.ofMillis(100));
        atMost("events.heartbeat", config.events().heartbeat(), LONGEST_WAIT);
        atLeast("security.reload-period", config.security().reloadPeriod(), Duration.ofMillis(100));
        atMost("security.reload-period", config.security().reloadPeriod(), LONGEST_RELOAD);
        atLeast("events.streams-max", config.events().streamsMax(), 1);
        atLeast("session.max-count", config.session().maxCount(), 1);
        atLeast("requests.max-in-flight", config.requests().maxInFlight(), 1);
        atLeast("requests.reserved", config.requests().reserved(), 1);
        atLeast("waiters.max", config.waiters().max(), 1);
        atLeast("waiters.max-per-resource", config.waiters().maxPerResource(), 1);
        atLeast("extensions.max", config.extensions().max(), 0);
    }

    private static void atLeast(String key, int value, int least) {
        if (value < least) {
            throw refused(key, value, "too small; write at least " + least);
        }
    }

    /** Parses the addresses. Rejects an even number and duplicates (R2). */
    static List<MasterAddress> addresses(List<String> urls) {
        Map<String, Integer> seen = new HashMap<>();
        List<MasterAddress> addresses = urls.stream().map(ConfigCheck::address).toList();
        for (int i = 0; i < addresses.size(); i++) {
            Integer first = seen.putIfAbsent(addresses.get(i).hostAndPort(), i);
            if (first != null) {
                throw new ConfigurationException("QUORUMLOCK_NODES: node-%d is the same server as node-%d (%s)"
                        .formatted(i + 1, first + 1, addresses.get(i)));
            }
        }
        if (addresses.size() % 2 == 0) {
            throw new ConfigurationException(("QUORUMLOCK_NODES has %d masters; it must be an odd number, normally 5:"
                            + " an even number tolerates no more failures than one master less")
                    .formatted(addresses.size()));
        }
        return addresses;
    }

    private static MasterAddress address(String url) {
        try {
            return new MasterAddress(url.strip());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "QUORUMLOCK_NODES: an entry " + e.getMessage() + "; the format is redis://user:password@host:6379");
        }
    }

    private static void atLeast(String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw refused(key, value, "too short; write at least " + shown(least));
        }
    }

    private static void atMost(String key, Duration value, Duration most) {
        if (value.compareTo(most) > 0) {
            throw refused(key, value, "too long; write at most " + shown(most));
        }
    }

    /** Names both settings, because either may be the wrong one. */
    private static void notLonger(String key, Duration value, String other, Duration most) {
        if (value.compareTo(most) > 0) {
            throw refused(
                    key,
                    value,
                    "longer than %1$s; write at most %2$s, or raise %1$s".formatted(variable(other), shown(most)));
        }
    }

    private static ConfigurationException refused(String key, Object value, String why) {
        return new ConfigurationException(variable(key) + "=" + shown(value) + ": " + why);
    }

    private static String variable(String key) {
        return StartErrors.variable("quorumlock." + key);
    }

    /** Returns a duration in the largest unit in which it is whole, other values as text. */
    static String shown(Object value) {
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
