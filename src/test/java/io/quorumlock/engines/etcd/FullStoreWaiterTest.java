// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RealStoreEngines;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** R15 on an etcd without space. */
@Tag("tools")
class FullStoreWaiterTest {
    private static final List<LockKind> HOLDERS = List.of(LockKind.EXCLUSIVE, LockKind.SHARED);

    private static AcquireTerms terms(LockKind kind) {
        return new AcquireTerms(
                Duration.ofSeconds(30), Duration.ofSeconds(5), Optional.empty(), Optional.empty(), kind);
    }

    private static EtcdSettings settings(EtcdCluster cluster) {
        return new EtcdSettings(
                cluster.addresses(), "/full", false, Duration.ofSeconds(10), Optional.empty(), new HttpClientOptions());
    }

    private static RealStore store(EtcdCluster cluster) {
        return new RealStore(
                SharedEtcd.loop(),
                context -> new EtcdStore(settings(cluster), SharedEtcd.loop().vertx, context, new MasterLog()));
    }

    @ParameterizedTest
    @FieldSource("HOLDERS")
    void waiterLearnsOfTheHolder(LockKind holder) {
        try (EtcdCluster cluster = EtcdCluster.with("--quota-backend-bytes", "1000000");
                RealStore store = store(cluster)) {
            RealStoreEngines engines = new RealStoreEngines(
                    SharedEtcd.loop(),
                    context -> new EtcdStore(settings(cluster), SharedEtcd.loop().vertx, context, new MasterLog()));
            ResourceNames name = ResourceNames.of(new ResourceName("held"));
            assertInstanceOf(
                    Acquisition.Acquired.class, engines.await(engines.engine().acquire(name, terms(holder))));
            RecordStore records = store.connect(new RecordedReports());
            Change large = Change.create(new ResourceName("large"), "x".repeat(1_200_000));
            store.ask(reply -> records.commit(List.of(large), reply));
            assertInstanceOf(
                    Acquisition.Held.class,
                    engines.await(engines.otherReplica().acquire(name, terms(LockKind.EXCLUSIVE))));
        }
    }
}
