// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.app.StoreWiring.OwnServer;
import io.quorumlock.embedded.ClusterMember;
import io.quorumlock.embedded.ClusterMembers;
import io.quorumlock.embedded.EmbeddedEnsemble;
import io.quorumlock.embedded.FolderStore;
import io.quorumlock.embedded.StoreFolder;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings;
import io.quorumlock.engines.zookeeper.ZooKeeperStore;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StoreConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/** The consensus engine on a ZooKeeper ensemble, on a folder, or on a cluster of which this process is a member. */
record ZooKeeperWiring(QuorumlockConfig config) implements EngineWiring {
    private static final int EMBEDDED_SERVERS = 3;
    /** So long after its beginning a cluster may be founded. A setting that is left over has no effect later. */
    private static final int FOUNDING_SECONDS = 3_600;

    @Override
    public boolean isTrial() {
        return config.embedded() && config.zookeeper().servers().isEmpty() && folder().isEmpty();
    }

    private Optional<Path> folder() {
        return config.cluster().data();
    }

    @Override
    public void check(Mistakes mistakes) {
        StoreConfig.ZooKeeper zookeeper = config.zookeeper();
        if (zookeeper.servers().isEmpty() && !config.embedded() && folder().isEmpty()) {
            mistakes.add("QUORUMLOCK_ZOOKEEPER_SERVERS: not set; write the servers of your ensemble,"
                    + " for example QUORUMLOCK_ZOOKEEPER_SERVERS=a:2181,b:2181,c:2181,"
                    + " or QUORUMLOCK_CLUSTER_DATA=folder to keep the locks on this machine");
        }
        if (zookeeper.servers().isPresent() && folder().isPresent()) {
            mistakes.add("QUORUMLOCK_CLUSTER_DATA: not possible with QUORUMLOCK_ZOOKEEPER_SERVERS; remove one of them");
        }
        folder().ifPresent(folder ->
                StoreFolder.refusal(folder).ifPresent(why -> mistakes.refuse("cluster.data", folder, why)));
        checkCluster(mistakes);
        zookeeper
                .servers()
                .filter(servers -> !ZooKeeperSettings.areServers(servers))
                .ifPresent(wrong -> mistakes.refuse(
                        "zookeeper.servers",
                        wrong,
                        "not a list of servers; write host:2181,host:2181,host:2181, or [::1]:2181"));
        StoreWiring.checkRoot("zookeeper.root", zookeeper.root(), mistakes);
        boolean alone = folder().isPresent() && config.cluster().members().isEmpty();
        mistakes.checkFileOfTls(
                "zookeeper.ca-file",
                zookeeper.caFile(),
                !alone,
                "no effect with QUORUMLOCK_CLUSTER_DATA on one machine; remove it");
        mistakes.checkFile("zookeeper.key-file", zookeeper.keyFile());
        mistakes.checkNeeds("zookeeper.key-file", zookeeper.keyFile(), "zookeeper.ca-file", zookeeper.caFile());
        mistakes.checkNeeds("zookeeper.user", zookeeper.user(), "zookeeper.password", zookeeper.password());
        mistakes.checkNeeds("zookeeper.password", zookeeper.password(), "zookeeper.user", zookeeper.user());
    }

    private void checkCluster(Mistakes mistakes) {
        StoreConfig.Cluster cluster = config.cluster();
        mistakes.checkNeeds("cluster.members", cluster.members(), "cluster.data", cluster.data());
        mistakes.checkNeeds("cluster.self", cluster.self(), "cluster.members", cluster.members());
        mistakes.checkNeeds("cluster.founded", cluster.founded(), "cluster.members", cluster.members());
        cluster.members().ifPresent(list -> ClusterMembers.parse(list)
                .ifPresentOrElse(
                        members -> checkMembers(list, members, mistakes),
                        () -> mistakes.refuse(
                                "cluster.members",
                                list,
                                "not a list of members; write a.example,b.example,c.example, or with other ports"
                                        + " host:2181:2888:3888,…")));
    }

    private void checkMembers(String list, ClusterMembers members, Mistakes mistakes) {
        if (members.hasRepetition()) {
            mistakes.refuse("cluster.members", list, "a member is repeated; write each once");
        } else if (!members.isOdd()) {
            mistakes.refuse(
                    "cluster.members", list, "write 3 or 5 members; another one would tolerate no more failures");
        } else if (members.idOf(self()).isEmpty()) {
            mistakes.add("QUORUMLOCK_CLUSTER_SELF%s: not one of the members; write which of %s this is"
                    .formatted(
                            config.cluster().self().map("="::concat).orElse(", by default " + self()),
                            members.addresses()));
        }
        if (config.zookeeper().caFile().isPresent()
                && config.zookeeper().keyFile().isEmpty()) {
            mistakes.add(
                    "QUORUMLOCK_ZOOKEEPER_KEY_FILE: not set, but members need a certificate for TLS; write its file");
        }
    }

    private String self() {
        return config.cluster().self().orElseGet(ZooKeeperWiring::machine);
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    @Override
    public Backend create(EngineParts parts) {
        StoreConfig.ZooKeeper zookeeper = config.zookeeper();
        Servers servers = startServers(parts.readOnly());
        ZooKeeperSettings settings = new ZooKeeperSettings(
                servers.addresses(),
                zookeeper.root(),
                parts.readOnly(),
                zookeeper.timeout(),
                zookeeper.sessionTimeout(),
                new ZooKeeperSettings.Security(
                        zookeeper
                                .user()
                                .map(user -> user + ":" + zookeeper.password().orElseThrow()),
                        zookeeper.caFile(),
                        zookeeper.keyFile()));
        ZooKeeperStore store = new ZooKeeperStore(
                settings,
                task -> parts.vertx().executeBlocking(Executors.callable(task), false),
                parts.context(),
                parts.serverListener());
        return StoreWiring.create(config, parts, store, zookeeper.timeout(), servers.own());
    }

    /** The servers to use, and the one in this process. */
    private record Servers(String addresses, OwnServer own) {}

    private Servers startServers(boolean readOnly) {
        if (isTrial()) {
            EmbeddedEnsemble trial = EmbeddedEnsemble.start(EMBEDDED_SERVERS);
            return new Servers(trial.addresses(), new OwnServer(() -> true, List.of(), trial::close));
        }
        return folder().map(folder -> startServer(folder, readOnly))
                .orElseGet(() -> new Servers(config.zookeeper().servers().orElseThrow(), OwnServer.NONE));
    }

    private Servers startServer(Path folder, boolean readOnly) {
        try {
            Optional<ClusterMembers> members = config.cluster().members().flatMap(ClusterMembers::parse);
            if (members.isEmpty()) {
                FolderStore alone = FolderStore.start(folder);
                return new Servers(alone.address(), new OwnServer(() -> true, alone.gauges(), alone::close));
            }
            String addresses = members.get().addresses();
            if (readOnly) {
                return new Servers(addresses, OwnServer.NONE);
            }
            ClusterMember member = startMember(folder, members.get());
            return new Servers(addresses, new OwnServer(member::serves, member.gauges(), member::close));
        } catch (IllegalStateException e) {
            throw new ConfigurationException("QUORUMLOCK_CLUSTER_DATA=" + folder + ": " + e.getMessage(), e);
        }
    }

    private ClusterMember startMember(Path folder, ClusterMembers members) {
        StoreConfig.ZooKeeper zookeeper = config.zookeeper();
        return ClusterMember.start(
                folder,
                members,
                members.idOf(self()).orElseThrow(),
                isFounding(),
                zookeeper
                        .caFile()
                        .map(file -> new ClusterMember.Tls(zookeeper.keyFile().orElseThrow(), file)));
    }

    private boolean isFounding() {
        return config.cluster()
                .founded()
                .filter(founded -> Math.abs(Instant.now().getEpochSecond() - founded) < FOUNDING_SECONDS)
                .isPresent();
    }
}
