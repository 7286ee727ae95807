// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The settings. Each key is also an environment variable: {@code quorumlock.node.timeout} is {@code
 * QUORUMLOCK_NODE_TIMEOUT}.
 */
@ConfigMapping(prefix = "quorumlock")
public interface QuorumlockConfig {

    /** The name of this installation, such as {@code staging}, for people: the operator's page shows it. */
    Optional<String> name();

    /** The engine, which determines where the locks are kept; {@link EngineKind#of} has the default. */
    Optional<EngineKind> engine();

    StoreConfig.Cluster cluster();

    StoreConfig.ZooKeeper zookeeper();

    StoreConfig.Etcd etcd();

    /** The masters, comma-separated: {@code redis[s]://[[user]:password@]host[:port]}; an odd number. */
    Optional<List<String>> nodes();

    /**
     * Whether to start temporary servers on this machine if none are configured: five masters, or three servers of ZooKeeper. Their
     * locks are not kept.
     */
    @WithDefault("false")
    @WithConverter(StrictFlag.class)
    boolean embedded();

    Node node();

    Drift drift();

    Ttl ttl();

    Extensions extensions();

    @WithName("wait")
    Waiting waiting();

    Waiters waiters();

    Requests requests();

    Events events();

    /** The prefix of lock keys. Empty to share locks with other Redlock clients. */
    @WithDefault("lock:")
    Optional<String> lockPrefix();

    /** The prefix of the keys of fencing counters. */
    @WithDefault("fence:")
    String fencePrefix();

    /**
     * Whether all masters have {@code appendonly yes} and {@code appendfsync always} at all times, and their data are never restored
     * from a copy. Then they vote at once after a restart, and a new fleet at its first start.
     */
    @WithDefault("false")
    @WithConverter(StrictFlag.class)
    boolean mastersPersist();

    RestartGuard restartGuard();

    Health health();

    Management management();

    Security security();

    Tracing tracing();

    interface Node {
        /** The timeout of each command to a master. */
        @WithDefault("50ms")
        @WithConverter(DurationWithUnit.class)
        Duration timeout();

        /** The timeout of connecting to a master, handshake included. */
        @WithDefault("1s")
        @WithConverter(DurationWithUnit.class)
        Duration connectTimeout();

        /** The PEM file of trusted certificates for {@code rediss://} masters, instead of those of the JVM. */
        Optional<Path> caFile();
    }

    interface Drift {
        /** The assumed clock drift between two machines, as a part of the TTL. */
        @WithDefault("0.01")
        double factor();

        /** A constant addition, for the precision of expiry in Redis. */
        @WithDefault("2ms")
        @WithConverter(DurationWithUnit.class)
        Duration constant();
    }

    interface Ttl {
        /** The TTL of requests that specify none. */
        @WithName("default")
        @WithDefault("30s")
        @WithConverter(DurationWithUnit.class)
        Duration defaultTtl();

        /** The minimum TTL of a request; {@link TtlBounds#shortest} has the default. */
        Optional<@WithConverter(DurationWithUnit.class) Duration> min();

        /** The maximum TTL of a request; {@link TtlBounds#longest} has the default. */
        Optional<@WithConverter(DurationWithUnit.class) Duration> max();
    }

    interface Extensions {
        /** The maximum number of extensions of a lease; no limit by default. */
        OptionalInt max();
    }

    interface Waiting {
        /** The maximum time that a request may wait for a lock. Must be below the idle timeout of proxies. */
        @WithDefault("10s")
        @WithConverter(DurationWithUnit.class)
        Duration max();
    }

    interface Waiters {
        /** The maximum number of waiting requests on this replica. */
        @WithDefault("10000")
        int max();

        /** The maximum number of waiting requests for one resource. */
        @WithDefault("1000")
        int maxPerResource();
    }

    interface Requests {
        /** The maximum number of requests in flight, without those that wait for a lock. */
        @WithDefault("2000")
        int maxInFlight();

        /** The additional number that is reserved for extensions and releases. */
        @WithDefault("1000")
        int reserved();
    }

    interface Events {
        /** The interval of heartbeats in streams, those of events and of sessions. Must be below the idle timeout of proxies. */
        @WithDefault("15s")
        @WithConverter(DurationWithUnit.class)
        Duration heartbeat();
    }

    interface RestartGuard {
        /**
         * Whether a restarted master gets no vote until all earlier leases have expired. Disable it only for masters
         * whose locks may be lost.
         */
        @WithDefault("true")
        @WithConverter(StrictFlag.class)
        boolean enabled();
    }

    interface Health {
        /** Whether the service is ready only while a majority of the masters votes, or the store answers. */
        @WithDefault("true")
        @WithConverter(StrictFlag.class)
        boolean readinessRequiresQuorum();
    }

    interface Management {
        /** Whether, beside a port with TLS, the port without TLS serves probes and metrics only. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean enabled();
    }

    interface Security {
        /** The JSON file of API keys. Without it, authentication is off. */
        Optional<Path> keysFile();

        /** Whether the service may listen on other interfaces than loopback without keys or client certificates. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean open();

        /** Further host names of the service. Without keys, it rejects requests to other names with a dot. */
        Optional<Set<String>> hosts();

        /** The interval of checks for changes of the keys file. */
        @WithDefault("5s")
        @WithConverter(DurationWithUnit.class)
        Duration reloadPeriod();

        /** Whether {@code /q/metrics} requires a key. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean metricsNeedKey();

        /** Whether clients need a certificate that the trust store of the TLS configuration trusts. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean clientCertificateRequired();
    }

    interface Tracing {
        /** Whether spans contain the names of resources. */
        @WithDefault("false")
        @WithConverter(StrictFlag.class)
        boolean resourceNames();
    }
}
