// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;

/**
 * A ZooKeeper server and an event loop in this JVM, for all tests that stop neither. A test class that runs beside others
 * needs {@code @ResourceLock(SharedZooKeeper.NAME)}.
 */
public final class SharedZooKeeper {
    public static final String NAME = "shared-zookeeper";
    public static final TestingServer SERVER = start();
    public static final RealLoop LOOP = new RealLoop();

    private static final AtomicInteger ROOTS = new AtomicInteger();

    private SharedZooKeeper() {}

    /** Returns a root path that no other test has. */
    public static String newRoot() {
        return "/test-" + ROOTS.incrementAndGet();
    }

    private static TestingServer start() {
        // Waiting for the disk would take most of the time of the tests.
        System.setProperty("zookeeper.forceSync", "no");
        try {
            TestingServer server = new TestingServer();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
            return server;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(TestingServer server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
