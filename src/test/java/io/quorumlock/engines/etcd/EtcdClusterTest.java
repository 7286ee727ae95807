// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.MemberLossContract;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("tools")
class EtcdClusterTest extends MemberLossContract {
    private EtcdCluster cluster;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.of(3);
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    protected EtcdStore connect(EngineContext engineContext) {
        EtcdSettings settings = new EtcdSettings(
                cluster.addresses(),
                SharedEtcd.newRoot(),
                false,
                Duration.ofSeconds(2),
                Optional.empty(),
                new HttpClientOptions());
        return new EtcdStore(settings, loop().vertx, engineContext, new MasterLog());
    }

    @Override
    protected RealLoop loop() {
        return SharedEtcd.loop();
    }

    @Override
    protected void kill(int member) {
        cluster.kill(member);
    }

    @Override
    protected void restart(int member) {
        cluster.start(member);
    }
}
