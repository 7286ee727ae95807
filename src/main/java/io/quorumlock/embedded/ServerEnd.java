// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.util.ServiceUtils;
import org.jboss.logging.Logger;

/** The start and the end of the ZooKeeper server of this process. If it ends by itself, the process ends: a supervisor starts it again. */
final class ServerEnd {
    private static final Logger LOG = Logger.getLogger(ServerEnd.class);
    private static final String STOPPED = "it cannot write, or its disk is full;"
            + " QUARKUS_LOG_CATEGORY__ORG_APACHE_ZOOKEEPER__LEVEL=ERROR shows the error";

    private final StoreFolder folder;
    /** Completes when the server accepts requests, or with the reason why it does not. */
    private final CompletableFuture<Void> serving = new CompletableFuture<>();

    private volatile boolean expected;
    private volatile boolean over;

    /** The main method of a server, which returns when it ends. */
    interface Run {
        void run() throws IOException, AdminServerException;
    }

    ServerEnd(StoreFolder folder) {
        this.folder = folder;
    }

    /** Runs the server in a thread of its own. */
    void run(String name, Run server) {
        ServiceUtils.setSystemExitProcedure(status -> ended(new IOException(STOPPED)));
        Thread thread = new Thread(
                () -> {
                    try {
                        server.run();
                        ended(new IOException(STOPPED));
                    } catch (IOException | AdminServerException | RuntimeException e) {
                        ended(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    void serves() {
        serving.complete(null);
    }

    /** @throws CompletionException if the server ended */
    void awaitServing() {
        serving.join();
    }

    /** Stops the server, unless it has ended by itself: its thread may hold a lock that the stop needs. */
    void stop(Runnable server) {
        expected = true;
        if (!over) {
            server.run();
        }
    }

    private void ended(Exception reason) {
        over = true;
        serving.completeExceptionally(reason);
        if (!serving.isCompletedExceptionally() && !expected) {
            LOG.errorf("store ended folder=%s free_mb=%d reason=\"%s\"", folder.path(), folder.freeMegabytes(), reason);
            System.exit(1);
        }
    }
}
