// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A ZooKeeper server and an event loop in this JVM, for all tests that stop neither. A test class that runs beside others
 * needs {@code @ResourceLock(SharedZooKeeper.NAME)}.
 */
public final class SharedZooKeeper {
    public static final String NAME = "shared-zookeeper";
    public static final LocalZooKeeper SERVER = start();
    public static final RealLoop LOOP = new RealLoop();

    private static final AtomicInteger ROOTS = new AtomicInteger();

    private SharedZooKeeper() {}

    /** Returns a root path that no other test has. */
    public static String newRoot() {
        return "/test-" + ROOTS.incrementAndGet();
    }

    private static LocalZooKeeper start() {
        LocalZooKeeper server = new LocalZooKeeper();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
    }
}
