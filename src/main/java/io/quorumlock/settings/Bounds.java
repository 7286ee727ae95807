// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The bounds of single settings that the engine has. {@link TtlBounds} has those that depend on each other. */
public final class Bounds {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    /** Ten a second: more often costs more than it helps. */
    private static final Duration OFTEN = Duration.ofMillis(100);

    private static final List<Bound<?>> TABLE = List.of(
            // The timers have milliseconds.
            atLeast("node.timeout", MILLISECOND, all -> all.node().timeout()),
            atLeast("node.connect-timeout", MILLISECOND, all -> all.node().connectTimeout()),
            atLeast("zookeeper.timeout", MILLISECOND, all -> all.zookeeper().timeout()),
            atLeast("etcd.timeout", MILLISECOND, all -> all.etcd().timeout()),
            // Shorter than a pause of the ensemble, the session would end all the time.
            atLeast("zookeeper.session-timeout", SECOND, all -> all.zookeeper().sessionTimeout()),
            // A negative drift would lengthen leases.
            atLeast("drift.constant", Duration.ZERO, all -> all.drift().constant()),
            // A lost lock would be held for longer than a day, and so would a quarantine be.
            new Bound<>("ttl.max", Optional.empty(), Optional.of(Duration.ofHours(24)), TtlBounds::longest),
            atLeast("extensions.max", 0, all -> all.extensions().max().orElse(0)),
            // Proxies end idle requests and streams after a minute.
            between("wait.max", Duration.ZERO, MINUTE, all -> all.waiting().max()),
            between("events.heartbeat", OFTEN, MINUTE, all -> all.events().heartbeat()),
            // A service that accepts none of them is a mistake.
            atLeast("requests.max-in-flight", 1, all -> all.requests().maxInFlight()),
            atLeast("requests.reserved", 1, all -> all.requests().reserved()),
            atLeast("waiters.max", 1, all -> all.waiters().max()),
            atLeast("waiters.max-per-resource", 1, all -> all.waiters().maxPerResource()),
            // A removed key must not stay valid for hours.
            between("security.reload-period", OFTEN, HOUR, all -> all.security().reloadPeriod()));

    private Bounds() {}

    public static void check(QuorumlockConfig config, Mistakes mistakes) {
        TABLE.stream()
                .filter(bound -> EngineKind.of(config).otherWith(bound.key).isEmpty())
                .forEach(bound -> bound.check(config, mistakes));
    }

    private static <T extends Comparable<T>> Bound<T> atLeast(
            String key, T least, Function<QuorumlockConfig, T> value) {
        return new Bound<>(key, Optional.of(least), Optional.empty(), value);
    }

    private static <T extends Comparable<T>> Bound<T> between(
            String key, T least, T most, Function<QuorumlockConfig, T> value) {
        return new Bound<>(key, Optional.of(least), Optional.of(most), value);
    }

    private record Bound<T extends Comparable<T>>(
            String key, Optional<T> least, Optional<T> most, Function<QuorumlockConfig, T> value) {

        void check(QuorumlockConfig config, Mistakes mistakes) {
            T found = value.apply(config);
            least.ifPresent(bound -> mistakes.checkLeast(key, found, bound));
            most.ifPresent(bound -> mistakes.checkMost(key, found, bound));
        }
    }
}
