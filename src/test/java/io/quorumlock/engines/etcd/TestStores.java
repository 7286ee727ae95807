// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RealStoreEngines;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.Optional;

/** Stores of records and engines on the shared server. */
final class TestStores {
    private static RealStoreEngines engines;

    private TestStores() {}

    /** Returns settings with a root of their own, and long timeouts, because the test machine may be busy. */
    static EtcdSettings settings() {
        return new EtcdSettings(
                SharedEtcd.cluster().addresses(),
                SharedEtcd.newRoot(),
                false,
                Duration.ofSeconds(10),
                Optional.empty(),
                new HttpClientOptions());
    }

    static RealStore store() {
        EtcdSettings settings = settings();
        return new RealStore(
                SharedEtcd.loop(),
                context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context, new MasterLog()));
    }

    static synchronized RealStoreEngines engines() {
        if (engines == null) {
            EtcdSettings settings = settings();
            engines = new RealStoreEngines(
                    SharedEtcd.loop(),
                    context -> new EtcdStore(settings, SharedEtcd.loop().vertx, context, new MasterLog()));
        }
        return engines;
    }
}
