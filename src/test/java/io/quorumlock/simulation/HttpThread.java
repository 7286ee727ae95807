// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.OptionalLong;

/** An HTTP thread. The engine's event loop executes its tasks with a short delay. */
final class HttpThread {
    private static final long SHORTEST_HAND_OVER = 5_000;

    private final World world;
    private OptionalLong handedOver = OptionalLong.empty();
    private long lastHandedOver;

    HttpThread(World world) {
        this.world = world;
    }

    void run(Runnable task) {
        long busy = world.random.onceIn(4) ? world.random.millis(0, 3) : SHORTEST_HAND_OVER;
        lastHandedOver = Math.max(lastHandedOver, world.agenda.now() + busy);
        handedOver = OptionalLong.of(lastHandedOver);
        try {
            task.run();
        } finally {
            handedOver = OptionalLong.empty();
        }
    }

    void handOver(Runnable task) {
        world.agenda.at(handedOver.orElse(world.agenda.now()), task);
    }
}
