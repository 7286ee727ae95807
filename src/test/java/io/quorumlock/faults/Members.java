// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.etcd.EtcdSettings;
import io.quorumlock.engines.etcd.EtcdStore;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings;
import io.quorumlock.engines.zookeeper.ZooKeeperStore;
import io.quorumlock.history.Promise;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Forwarder;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.MemberCluster;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.StoreCluster;
import io.vertx.core.http.HttpClientOptions;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The three members of a store, each with a proxy. */
final class Members implements Servers {
    private static final int SIZE = 3;
    private static final String ROOT = "/faults";
    private static final String TIMEOUT = "200ms";
    private static final Duration LONG = Duration.ofSeconds(10);
    /** Longer than a replica takes to delete records whose leases are over. */
    private static final Duration DELETED = Duration.ofSeconds(10);

    /** A member of ZooKeeper that takes itself for the leader waits for a majority for ten seconds before the next election. */
    private static final Duration ELECTIONS = Duration.ofSeconds(20);

    private static final Duration AGAIN = Duration.ofMillis(500);

    private static final RealLoop LOOP = new RealLoop();

    private final StoreCluster cluster;
    private final List<Forwarder> proxies;
    private final Duration recovery;
    private final Map<String, String> settings;
    private final Function<EngineContext, StoreConnection> connect;

    /** @param settings returns the settings of replicas, from the addresses of the proxies without their scheme */
    private Members(
            StoreCluster cluster,
            Duration recovery,
            Function<List<String>, Map<String, String>> settings,
            Function<EngineContext, StoreConnection> connect) {
        this.cluster = cluster;
        this.recovery = recovery;
        this.proxies = cluster.members()
                .mapToObj(member ->
                        new Forwarder(LOOP.vertx, URI.create("tcp://127.0.0.1:" + cluster.clientPort(member))))
                .toList();
        this.settings = settings.apply(addresses());
        this.connect = connect;
    }

    /** The ensemble of which packaged services are the members, beside the replicas that use it. */
    static Members ofOwnCluster() {
        MemberCluster ensemble = MemberCluster.of(SIZE);
        ZooKeeperSettings direct =
                new ZooKeeperSettings(ensemble.addresses(), ROOT, false, LONG, LONG, ZooKeeperSettings.Security.NONE);
        return new Members(
                ensemble,
                ELECTIONS,
                servers -> Map.of(
                        "QUORUMLOCK_ENGINE",
                        "zookeeper",
                        "QUORUMLOCK_ZOOKEEPER_SERVERS",
                        String.join(",", servers),
                        "QUORUMLOCK_ZOOKEEPER_ROOT",
                        ROOT,
                        "QUORUMLOCK_ZOOKEEPER_TIMEOUT",
                        TIMEOUT,
                        "QUORUMLOCK_ZOOKEEPER_SESSION_TIMEOUT",
                        "2s"),
                engineContext -> new ZooKeeperStore(direct, ForkJoinPool.commonPool(), engineContext, new MasterLog()));
    }

    static Members ofEtcd() {
        EtcdCluster members = EtcdCluster.of(SIZE);
        EtcdSettings direct =
                new EtcdSettings(members.addresses(), ROOT, false, LONG, Optional.empty(), new HttpClientOptions());
        return new Members(
                members,
                Servers.RECOVERY,
                servers -> Map.of(
                        "QUORUMLOCK_ENGINE",
                        "etcd",
                        "QUORUMLOCK_ETCD_SERVERS",
                        servers.stream().map(server -> "http://" + server).collect(Collectors.joining(",")),
                        "QUORUMLOCK_ETCD_ROOT",
                        ROOT,
                        "QUORUMLOCK_ETCD_TIMEOUT",
                        TIMEOUT),
                engineContext -> new EtcdStore(direct, LOOP.vertx, engineContext, new MasterLog()));
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("QUORUMLOCK_TTL_DEFAULT", "1s");
        environment.put("QUORUMLOCK_TTL_MAX", Setup.TTL_MAX.toMillis() + "ms");
        environment.put("QUORUMLOCK_EXTENSIONS_MAX", Integer.toString(Setup.EXTENSIONS_MAX));
        return environment;
    }

    @Override
    public List<String> addresses() {
        return proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).toList();
    }

    @Override
    public FaultPlan plan(long seed, Duration length) {
        return FaultPlan.ofStore(seed, length);
    }

    @Override
    public FaultAction action(PlannedFault fault, NodesPoller watch) {
        int member = fault.target() - 1;
        return new MemberFault(cluster, member, proxies.get(member), watch).of(fault.kind());
    }

    /** Those of the client of etcd. */
    @Override
    public int idleConnections() {
        return 128;
    }

    @Override
    public Duration recovery() {
        return recovery;
    }

    /** ZooKeeper, whose servers take longest to start again, had 2,200 on two busy cores. */
    @Override
    public double grantsAMinute() {
        return 2_000;
    }

    @Override
    public List<Observation> leftovers() {
        long until = System.nanoTime() + DELETED.toNanos();
        int records = records();
        while (records > 0 && System.nanoTime() < until) {
            Pause.of(AGAIN);
            records = records();
        }
        return List.of(new Observation(Promise.N, "records left", records, 0));
    }

    private int records() {
        try (RealStore store = new RealStore(LOOP, connect)) {
            RecordedReports reports = new RecordedReports();
            store.connect(reports);
            return reports.existing().size();
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
