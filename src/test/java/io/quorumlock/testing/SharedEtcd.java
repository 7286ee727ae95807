// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.util.concurrent.atomic.AtomicInteger;

/** An etcd server and an event loop, for all tests that stop neither. */
public final class SharedEtcd {
    public static final String NAME = "shared-etcd";

    private static final AtomicInteger ROOTS = new AtomicInteger();
    private static EtcdCluster cluster;
    private static RealLoop loop;

    private SharedEtcd() {}

    /** Returns the cluster. Without etcd on this machine, the test is left out. */
    public static synchronized EtcdCluster cluster() {
        if (cluster == null) {
            cluster = EtcdCluster.of(1);
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        }
        return cluster;
    }

    public static synchronized RealLoop loop() {
        if (loop == null) {
            loop = new RealLoop();
        }
        return loop;
    }

    /** Returns a root that no other test has. */
    public static String newRoot() {
        return "/test-" + ROOTS.incrementAndGet();
    }
}
