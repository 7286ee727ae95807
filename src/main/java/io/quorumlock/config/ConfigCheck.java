// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.redis.MasterAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The checks of configuration values. Each message names the key, its value and the allowed values. */
final class ConfigCheck {
    private static final Duration LONGEST_TTL = Duration.ofHours(24);
    private static final Duration LONGEST_RELOAD = Duration.ofHours(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private ConfigCheck() {}

    static void check(QuorumlockConfig config) {
        Duration timeout = config.node().timeout();
        atLeast("node.timeout", timeout, Duration.ofMillis(1));
        atLeast("node.connect-timeout", config.node().connectTimeout(), Duration.ofMillis(1));
        atLeast("ttl.min", config.ttl().min(), timeout.plusMillis(1), "longer than quorumlock.node.timeout");
        atLeast("ttl.default", config.ttl().defaultTtl(), config.ttl().min(), "from quorumlock.ttl.min");
        atLeast("ttl.max", config.ttl().max(), config.ttl().defaultTtl(), "from quorumlock.ttl.default");
        atMost("ttl.max", config.ttl().max(), LONGEST_TTL);
        double factor = config.drift().factor();
        if (!(factor >= 0 && factor < 0.5)) {
            throw refused("drift.factor", factor, "from 0 to below 0.5");
        }
        atLeast("drift.constant", config.drift().constant(), Duration.ZERO);
        Duration shortest = config.ttl().min();
        Duration drift = config.drift().constant().plusMillis((long) Math.ceil(shortest.toMillis() * factor));
        if (drift.plus(timeout).compareTo(shortest) >= 0) {
            throw refused("ttl.min", shortest, "longer than the sum of node timeout and drift");
        }
        if (config.fencePrefix().equals(config.lockPrefix().orElse(""))) {
            throw refused("fence-prefix", config.fencePrefix(), "different from quorumlock.lock-prefix");
        }
        atLeast("wait.max", config.waiting().max(), Duration.ZERO);
        atMost("wait.max", config.waiting().max(), LONGEST_WAIT);
        atLeast("events.heartbeat", config.events().heartbeat(), Duration.ofMillis(100));
        atMost("events.heartbeat", config.events().heartbeat(), LONGEST_WAIT);
        atLeast("security.reload-period", config.security().reloadPeriod(), Duration.ofMillis(100));
        atMost("security.reload-period", config.security().reloadPeriod(), LONGEST_RELOAD);
        positive("events.streams-max", config.events().streamsMax());
        positive("session.max-count", config.session().maxCount());
        positive("requests.max-in-flight", config.requests().maxInFlight());
        positive("requests.reserved", config.requests().reserved());
        positive("waiters.max", config.waiters().max());
        positive("waiters.max-per-resource", config.waiters().maxPerResource());
        if (config.extensions().max() < 0) {
            throw refused("extensions.max", config.extensions().max(), "0 or more");
        }
    }

    private static void positive(String key, int value) {
        if (value < 1) {
            throw refused(key, value, "1 or more");
        }
    }

    /** Parses the addresses. Rejects an even number and duplicates (R2). */
    static List<MasterAddress> addresses(List<String> urls) {
        Map<String, Integer> seen = new HashMap<>();
        List<MasterAddress> addresses = urls.stream().map(ConfigCheck::address).toList();
        for (int i = 0; i < addresses.size(); i++) {
            Integer first = seen.putIfAbsent(addresses.get(i).hostAndPort(), i);
            if (first != null) {
                throw new ConfigurationException("quorumlock.nodes: node-%d is the same server as node-%d (%s)"
                        .formatted(i + 1, first + 1, addresses.get(i)));
            }
        }
        if (addresses.size() % 2 == 0) {
            throw new ConfigurationException(("quorumlock.nodes has %d masters; it must be an odd number, normally 5:"
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
                    "quorumlock.nodes: an entry " + e.getMessage() + "; the format is redis://user:password@host:6379");
        }
    }

    private static void atLeast(String key, Duration value, Duration least) {
        atLeast(key, value, least, "at least " + least.toMillis() + "ms");
    }

    private static void atLeast(String key, Duration value, Duration least, String allowed) {
        if (value.compareTo(least) < 0) {
            throw refused(key, value, allowed);
        }
    }

    private static void atMost(String key, Duration value, Duration most) {
        if (value.compareTo(most) > 0) {
            String bound = most.toHours() > 0 ? most.toHours() + "h" : most.toMinutes() + "m";
            throw refused(key, value, "at most " + bound);
        }
    }

    private static ConfigurationException refused(String key, Object value, String allowed) {
        String shown = value instanceof Duration duration ? duration.toMillis() + "ms" : value.toString();
        return new ConfigurationException("quorumlock." + key + " is " + shown + "; it must be " + allowed);
    }
}
