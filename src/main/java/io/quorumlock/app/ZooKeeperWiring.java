// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.embedded.EmbeddedEnsemble;
import io.quorumlock.embedded.FolderStore;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings;
import io.quorumlock.engines.zookeeper.ZooKeeperStore;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StoreConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;

/** The consensus engine on a ZooKeeper ensemble, or on a folder. */
record ZooKeeperWiring(QuorumlockConfig config) implements EngineWiring {
    private static final int EMBEDDED_SERVERS = 3;

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
                FolderStore.refusal(folder).ifPresent(why -> mistakes.refuse("cluster.data", folder, why)));
        zookeeper
                .servers()
                .filter(servers -> !ZooKeeperSettings.areServers(servers))
                .ifPresent(wrong -> mistakes.refuse(
                        "zookeeper.servers",
                        wrong,
                        "not a list of servers; write host:2181,host:2181,host:2181, or [::1]:2181"));
        StoreWiring.checkRoot("zookeeper.root", zookeeper.root(), mistakes);
        mistakes.checkFileOfTls(
                "zookeeper.ca-file",
                zookeeper.caFile(),
                folder().isEmpty(),
                "no effect with QUORUMLOCK_CLUSTER_DATA; remove it");
        mistakes.checkFile("zookeeper.key-file", zookeeper.keyFile());
        mistakes.checkNeeds("zookeeper.key-file", zookeeper.keyFile(), "zookeeper.ca-file", zookeeper.caFile());
        mistakes.checkNeeds("zookeeper.user", zookeeper.user(), "zookeeper.password", zookeeper.password());
        mistakes.checkNeeds("zookeeper.password", zookeeper.password(), "zookeeper.user", zookeeper.user());
    }

    @Override
    public Backend create(EngineParts parts) {
        StoreConfig.ZooKeeper zookeeper = config.zookeeper();
        Optional<EmbeddedEnsemble> embedded =
                isTrial() ? Optional.of(EmbeddedEnsemble.start(EMBEDDED_SERVERS)) : Optional.empty();
        Optional<FolderStore> own = folder().map(ZooKeeperWiring::startStore);
        ZooKeeperSettings settings = new ZooKeeperSettings(
                embedded.map(EmbeddedEnsemble::addresses)
                        .or(() -> own.map(FolderStore::address))
                        .or(zookeeper::servers)
                        .orElseThrow(),
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
        return StoreWiring.create(config, parts, store, zookeeper.timeout(), () -> {
            embedded.ifPresent(EmbeddedEnsemble::close);
            own.ifPresent(FolderStore::close);
        });
    }

    private static FolderStore startStore(Path folder) {
        try {
            return FolderStore.start(folder);
        } catch (IllegalStateException e) {
            throw new ConfigurationException("QUORUMLOCK_CLUSTER_DATA=" + folder + ": " + e.getMessage(), e);
        }
    }
}
