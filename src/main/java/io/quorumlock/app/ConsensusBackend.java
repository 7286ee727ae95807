// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.consensus.Consensus;
import io.quorumlock.consensus.ConsensusSettings;
import io.quorumlock.consensus.MeasuredStore;
import io.quorumlock.consensus.StoreConnection;
import io.quorumlock.embedded.EmbeddedEnsemble;
import io.quorumlock.etcd.EtcdSettings;
import io.quorumlock.etcd.EtcdStore;
import io.quorumlock.etcd.MemberAddress;
import io.quorumlock.events.LockWatch;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.fleet.Fleet;
import io.quorumlock.fleet.PolledFleet;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ReleaseSignal;
import io.quorumlock.settings.ConfigCheck;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StoreConfig;
import io.quorumlock.zookeeper.ZooKeeperSettings;
import io.quorumlock.zookeeper.ZooKeeperStore;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jboss.logging.Logger;

/** The consensus engine on a ZooKeeper ensemble or an etcd cluster. */
final class ConsensusBackend implements Backend {
    private static final Logger LOG = Logger.getLogger(ConsensusBackend.class);
    private static final int EMBEDDED_SERVERS = 3;

    private final BackendContext context;
    private final StoreConnection connection;
    private final Consensus consensus;
    private final PolledFleet fleet;
    private final Optional<EmbeddedEnsemble> embedded;

    private ConsensusBackend(
            BackendContext context, StoreConnection store, Duration timeout, Optional<EmbeddedEnsemble> embedded) {
        this.context = context;
        this.connection = store;
        this.embedded = embedded;
        QuorumlockConfig config = context.config();
        consensus = new Consensus(
                new MeasuredStore(store, context.loop().clock(), context.masterListener()),
                new ConsensusSettings(
                        context.drift(), config.extensions().max(), ConfigCheck.longestTtl(config), timeout),
                context.traced(),
                context.lockListener());
        fleet = new PolledFleet(
                store.members(), connection::isReady, timeout, context.loop(), context.masterListener());
    }

    static ConsensusBackend onZooKeeper(BackendContext context) {
        StoreConfig.ZooKeeper zookeeper = context.config().zookeeper();
        Optional<EmbeddedEnsemble> embedded = ConfigCheck.isTrial(context.config())
                ? Optional.of(EmbeddedEnsemble.start(EMBEDDED_SERVERS))
                : Optional.empty();
        String servers =
                embedded.map(EmbeddedEnsemble::addresses).or(zookeeper::servers).orElseThrow();
        ZooKeeperStore store = new ZooKeeperStore(
                new ZooKeeperSettings(
                        servers,
                        zookeeper.root(),
                        zookeeper.timeout(),
                        zookeeper.sessionTimeout(),
                        new ZooKeeperSettings.Security(
                                zookeeper
                                        .user()
                                        .map(user -> user + ":"
                                                + zookeeper.password().orElse("")),
                                zookeeper.caFile(),
                                zookeeper.keyFile())),
                task -> context.vertx().executeBlocking(Executors.callable(task), false),
                context.loop());
        return new ConsensusBackend(context, store, zookeeper.timeout(), embedded);
    }

    static ConsensusBackend onEtcd(BackendContext context) {
        StoreConfig.Etcd etcd = context.config().etcd();
        List<String> servers = etcd.servers().orElseThrow();
        EtcdStore store = new EtcdStore(
                new EtcdSettings(
                        servers.stream().map(MemberAddress::of).toList(),
                        etcd.root(),
                        etcd.timeout(),
                        etcd.user()
                                .map(user -> new EtcdSettings.Login(
                                        user, etcd.password().orElse(""))),
                        options(etcd)),
                context.vertx(),
                context.loop());
        return new ConsensusBackend(context, store, etcd.timeout(), Optional.empty());
    }

    private static HttpClientOptions options(StoreConfig.Etcd etcd) {
        HttpClientOptions options = new HttpClientOptions();
        etcd.caFile().ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        etcd.certFile()
                .ifPresent(file -> options.setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(file.toString())
                        .addKeyPath(etcd.keyFile().orElseThrow().toString())));
        return options;
    }

    @Override
    public LockEngine algorithm() {
        return consensus;
    }

    @Override
    public LockDirectory directory() {
        return consensus;
    }

    @Override
    public ReleaseSignal signal() {
        return consensus.signal();
    }

    @Override
    public LockWatch watch() {
        return new MajorityWatch(consensus.announcements(), quorum(), context.loop());
    }

    /** The store is one source. */
    @Override
    public int quorum() {
        return 1;
    }

    @Override
    public Fleet fleet() {
        return fleet;
    }

    /** A store that does not answer now may do so later. */
    @Override
    public CompletableFuture<List<String>> open(Duration patience) {
        consensus.start();
        CompletableFuture<List<String>> opened =
                CompletableFuture.allOf(firstQuorum(), fleet.start()).thenApply(ready -> List.of());
        context.loop().scheduler().after(patience, () -> opened.complete(List.of()));
        return opened;
    }

    @Override
    public CompletableFuture<Void> firstQuorum() {
        return connection.firstReady();
    }

    @Override
    public void started() {
        if (!connection.isReady()) {
            LOG.warn("locks unavailable: no connection with the store");
        }
    }

    @Override
    public void close() {
        fleet.close();
        EventLoop.awaitClosed(connection.close());
        embedded.ifPresent(EmbeddedEnsemble::close);
    }
}
