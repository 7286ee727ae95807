// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import java.time.Duration;

/** The shortest and the longest TTL of a request. Both depend on the engine, and their settings on each other. */
public final class TtlBounds {
    private static final Duration DEFAULT_SHORTEST = Duration.ofMillis(100);
    private static final Duration DEFAULT_LONGEST = Duration.ofSeconds(60);
    private static final Duration DEFAULT_LONGEST_WITHOUT_QUARANTINE = Duration.ofHours(1);

    private TtlBounds() {}

    /** Returns the maximum TTL of a request. It may be long by default where a restart needs no quarantine. */
    public static Duration longest(QuorumlockConfig config) {
        boolean trial = config.embedded() && config.nodes().isEmpty();
        boolean noQuarantine = EngineKind.of(config) != EngineKind.REDLOCK || config.mastersPersist() || trial;
        return config.ttl().max().orElse(noQuarantine ? DEFAULT_LONGEST_WITHOUT_QUARANTINE : DEFAULT_LONGEST);
    }

    /** Returns the minimum TTL of a request. By default it is 100 ms, or more if a call may take longer. */
    public static Duration shortest(QuorumlockConfig config) {
        return config.ttl().min().orElse(longer(least(config), DEFAULT_SHORTEST));
    }

    /**
     * Returns the shortest TTL that may be set: as long as a call to a master, or to the store, may take, and longer than its
     * drift. The validity decides about the lease of a call that takes nearly as long.
     */
    private static Duration least(QuorumlockConfig config) {
        double drift =
                (config.drift().constant().toMillis() + 1) / (1 - config.drift().factor());
        return longer(callTimeout(config), Duration.ofMillis((long) Math.ceil(drift)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration callTimeout(QuorumlockConfig config) {
        return switch (EngineKind.of(config)) {
            case REDLOCK -> config.node().timeout();
            case ZOOKEEPER -> config.zookeeper().timeout();
            case ETCD -> config.etcd().timeout();
        };
    }

    /** Checks that leases last as long as calls, and that the TTLs are in their order. */
    public static void check(QuorumlockConfig config, Mistakes mistakes) {
        double factor = config.drift().factor();
        if (!(factor >= 0 && factor < 0.5)) {
            mistakes.refuse("drift.factor", factor, "out of range; write a number from 0, below 0.5");
            return;
        }
        Duration shortest = shortest(config);
        Duration least = least(config);
        String timeout = Mistakes.variable(EngineKind.of(config).timeoutKey());
        if (shortest.compareTo(least) < 0) {
            mistakes.refuse(
                    "ttl.min",
                    shortest,
                    "too short for %1$s=%2$s; write at least %3$s, or lower %1$s"
                            .formatted(timeout, Mistakes.shown(callTimeout(config)), Mistakes.shown(least)));
        }
        // Each message names both settings, because either may be the wrong one. Without ttl.min, the timeout decides.
        boolean byTimeout = config.ttl().min().isEmpty() && shortest.equals(least);
        String tooShort = "shorter than the shortest TTL, %1$s; write at least %1$s, or lower %2$s"
                .formatted(Mistakes.shown(shortest), byTimeout ? timeout : "QUORUMLOCK_TTL_MIN");
        Duration longest = longest(config);
        Duration usual = config.ttl().defaultTtl();
        if (longest.compareTo(shortest) < 0) {
            mistakes.refuse("ttl.max", longest, tooShort);
        } else if (usual.compareTo(shortest) < 0) {
            mistakes.refuse("ttl.default", usual, tooShort);
        } else if (usual.compareTo(longest) > 0) {
            mistakes.refuse(
                    "ttl.default",
                    usual,
                    "longer than QUORUMLOCK_TTL_MAX=%1$s; write at most %1$s, or raise QUORUMLOCK_TTL_MAX"
                            .formatted(Mistakes.shown(longest)));
        }
    }

    /** Checks the TTL that a feature gives its locks. */
    public static void checkTtl(String key, Duration ttl, QuorumlockConfig config, Mistakes mistakes) {
        if (ttl.compareTo(longest(config)) > 0) {
            mistakes.refuse(
                    key,
                    ttl,
                    "longer than QUORUMLOCK_TTL_MAX=%s; set QUORUMLOCK_TTL_MAX=%s, or write a shorter one"
                            .formatted(Mistakes.shown(longest(config)), Mistakes.shown(ttl)));
        } else if (ttl.compareTo(shortest(config)) < 0) {
            mistakes.refuse(
                    key, ttl, "shorter than the shortest TTL; write at least " + Mistakes.shown(shortest(config)));
        }
    }
}
