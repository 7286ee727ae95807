// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper server in this JVM, which may be stopped and started again. */
public final class LocalZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 500;
    private static final int ANY_NUMBER = -1;

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final InetSocketAddress address =
            new InetSocketAddress("127.0.0.1", FreePorts.find(1).get(0));
    private ServerCnxnFactory connections;

    static {
        // Waiting for the disk would take most of the time of the tests.
        System.setProperty("zookeeper.forceSync", "no");
    }

    public LocalZooKeeper() {
        start();
    }

    /** Starts the server with the data that it had. */
    public void start() {
        File data = folder.path().toFile();
        try {
            connections = ReservedPort.listen(() -> ServerCnxnFactory.createFactory(address, ANY_NUMBER));
            connections.startup(new ZooKeeperServer(data, data, TICK_MILLIS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void stop() {
        connections.shutdown();
    }

    /** Returns the address of the server, as the client expects it. */
    public String address() {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public void close() {
        stop();
        folder.close();
    }
}
