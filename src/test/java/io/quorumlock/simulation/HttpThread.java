// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.OptionalLong;

/** An HTTP thread. The engine's event loop executes its tasks with a short delay. */
final class HttpThread {
    private static final long SHORTEST_HAND_OVER = 5_000;

    private final Cluster cluster;
    private OptionalLong handedOver = OptionalLong.empty();
    private long lastHandedOver;

    HttpThread(Cluster cluster) {
        this.cluster = cluster;
    }

    void run(Runnable task) {
        long busy = cluster.random.onceIn(4) ? cluster.random.millis(0, 3) : SHORTEST_HAND_OVER;
        lastHandedOver = Math.max(lastHandedOver, cluster.events.now() + busy);
        handedOver = OptionalLong.of(lastHandedOver);
        try {
            task.run();
        } finally {
            handedOver = OptionalLong.empty();
        }
    }

    void handOver(Runnable task) {
        cluster.events.at(handedOver.orElse(cluster.events.now()), task);
    }
}
