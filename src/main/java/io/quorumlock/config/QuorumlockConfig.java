package io.quorumlock.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Is all that an operator can set. Each key is also an environment variable: {@code quorumlock.node.timeout} is {@code
 * QUORUMLOCK_NODE_TIMEOUT}.
 */
@ConfigMapping(prefix = "quorumlock")
public interface QuorumlockConfig {

    /** Lists the masters, comma-separated: {@code redis[s]://[[user]:password@]host[:port]}; an odd number. */
    Optional<List<String>> nodes();

    /** Starts five throw-away masters on this machine when no nodes are named. Locks do not survive it. */
    @WithDefault("false")
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

    Session session();

    Sessions sessions();

    /** Goes before the resource in the key of a lock; empty to share locks with other Redlock clients. */
    @WithDefault("lock:")
    Optional<String> lockPrefix();

    /** Goes before the number of a fencing counter in its key. */
    @WithDefault("fence:")
    String fencePrefix();

    RestartGuard restartGuard();

    Health health();

    Security security();

    Tracing tracing();

    interface Node {
        /** Limits each command to one node. */
        @WithDefault("50ms")
        Duration timeout();

        /** Limits connecting to one node, handshake included. */
        @WithDefault("300ms")
        Duration connectTimeout();

        /** Names a PEM file of certificates that vouch for {@code rediss://} nodes, instead of the JVM's. */
        Optional<Path> caFile();
    }

    interface Drift {
        /** Is the part of a TTL by which the clocks of two machines may run apart. */
        @WithDefault("0.01")
        double factor();

        /** Is added to it, for the precision of Redis' expiry. */
        @WithDefault("2ms")
        Duration constant();
    }

    interface Ttl {
        /** Is used where a client names none. */
        @WithName("default")
        @WithDefault("30s")
        Duration defaultTtl();

        /** Is the shortest that a client may ask for. */
        @WithDefault("100ms")
        Duration min();

        /** Is the longest that a client may ask for. */
        @WithDefault("60s")
        Duration max();
    }

    interface Extensions {
        /** Limits how often one lease may be extended. */
        @WithDefault("1000")
        int max();
    }

    interface Waiting {
        /** Is the longest that a client may ask to wait for a lock; below the idle time-out of proxies. */
        @WithDefault("10s")
        Duration max();
    }

    interface Waiters {
        /** Limits how many wait on this replica. */
        @WithDefault("10000")
        int max();

        /** Limits how many of them wait for one resource. */
        @WithDefault("1000")
        int maxPerResource();
    }

    interface Requests {
        /** Limits how many requests this replica works on at once; those that wait for a lock not counted. */
        @WithDefault("2000")
        int maxInFlight();

        /** Is how many extensions and releases it works on beyond them. */
        @WithDefault("1000")
        int reserved();
    }

    interface Events {
        /** Is how often a stream without events says that it lives; below the idle time-out of proxies. */
        @WithDefault("15s")
        Duration heartbeat();

        /** Limits how many streams this replica writes. */
        @WithDefault("1000")
        int streamsMax();
    }

    interface Session {
        /** Is the longest that a session lasts, whoever is there. */
        @WithDefault("1h")
        Duration max();
    }

    interface Sessions {
        /** Limits how many sessions this replica keeps. */
        @WithDefault("1000")
        int max();
    }

    interface RestartGuard {
        /**
         * Keeps a master that restarted without provably keeping every write from voting until all leases of before have
         * ended. Off only for masters whose locks may be lost.
         */
        @WithDefault("true")
        boolean enabled();
    }

    interface Health {
        /** Makes the service unready while fewer than a majority of nodes answer. */
        @WithDefault("true")
        boolean readinessRequiresQuorum();
    }

    interface Security {
        /** Names the JSON file of the keys that clients need; without it nobody needs one. */
        Optional<Path> keysFile();

        /** Is how often the file is looked at for changes. */
        @WithDefault("5s")
        Duration reloadPeriod();

        /** Asks for a key at {@code /q/metrics} too. */
        @WithDefault("false")
        boolean metricsNeedKey();

        /** Turns away clients without a certificate that the trust store of the TLS configuration vouches for. */
        @WithDefault("false")
        boolean clientCertificateRequired();
    }

    interface Tracing {
        /** Whether spans contain the names of resources. */
        @WithDefault("false")
        boolean resourceNames();
    }
}
