// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quorumlock.consensus.Consensus;
import io.quorumlock.consensus.ConsensusSettings;
import io.quorumlock.events.LockWatch;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.waiting.ReleaseSignal;
import io.quorumlock.zookeeper.EnsembleFleet;
import io.quorumlock.zookeeper.ZooKeeperSettings;
import io.quorumlock.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The consensus engine on a ZooKeeper ensemble. */
final class ZooKeeperBackend implements Backend {
    private static final int CLOSE_SECONDS = 2;

    private final BackendContext context;
    private final ZooKeeperStore store;
    private final Consensus consensus;
    private final Fleet fleet;

    ZooKeeperBackend(BackendContext context) {
        this.context = context;
        QuorumlockConfig config = context.config();
        QuorumlockConfig.ZooKeeper zookeeper = config.zookeeper();
        store = new ZooKeeperStore(
                new ZooKeeperSettings(
                        zookeeper.servers().orElseThrow(),
                        zookeeper.root(),
                        zookeeper.timeout(),
                        zookeeper.sessionTimeout()),
                context.loop());
        consensus = new Consensus(
                store,
                new ConsensusSettings(
                        context.drift(),
                        config.extensions().max(),
                        ConfigCheck.longestTtl(config),
                        zookeeper.timeout()),
                context.traced(),
                context.lockListener());
        fleet = new EnsembleFleet(store);
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
        return new MajorityWatch(consensus.announcements(), fleet.quorum(), context.loop());
    }

    @Override
    public Fleet fleet() {
        return fleet;
    }

    /** An ensemble that does not answer now may do so later. */
    @Override
    public CompletableFuture<List<String>> open(Duration patience) {
        consensus.start();
        return firstQuorum()
                .thenApply(ready -> List.<String>of())
                .completeOnTimeout(List.of(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletableFuture<Void> firstQuorum() {
        return store.firstReady();
    }

    @Override
    public void started() {
        store.logAvailability();
    }

    @Override
    public void close() {
        store.close()
                .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(timeout -> null)
                .join();
    }
}
