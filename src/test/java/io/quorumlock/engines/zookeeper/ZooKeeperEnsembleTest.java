// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.MemberLossContract;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.testing.ZooKeeperCluster;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class ZooKeeperEnsembleTest extends MemberLossContract {
    private ZooKeeperCluster ensemble;

    @BeforeEach
    void start() {
        ensemble = ZooKeeperCluster.of(3);
    }

    @AfterEach
    void stop() {
        ensemble.close();
    }

    @Override
    protected ZooKeeperStore connect(EngineContext engineContext) {
        return new ZooKeeperStore(
                TestSettings.of(ensemble.addresses()), ForkJoinPool.commonPool(), engineContext, new MasterLog());
    }

    @Override
    protected RealLoop loop() {
        return SharedZooKeeper.LOOP;
    }

    @Override
    protected void kill(int member) {
        ensemble.kill(member);
    }

    @Override
    protected void restart(int member) {
        ensemble.start(member);
    }
}
