// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench.peers;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

/**
 * Clients of Curator's InterProcessMutex. The arguments are the number of clients, "cycles" for a lock of each client or
 * "hot" for one lock of all, and the servers. The latency is that of a cycle, or of a hand-over: from the begin of a
 * release to the next acquire.
 */
final class CuratorMutexCycles {
    private static final int LONGEST_WAIT_SECONDS = 10;
    private static final int RETRY_MS = 100;
    private static final String ROOT = "/curator/" + System.nanoTime() + "/";

    private final CuratorFramework client;
    private final boolean hot;
    private volatile long releasedAt;

    private CuratorMutexCycles(CuratorFramework client, boolean hot) {
        this.client = client;
        this.hot = hot;
    }

    public static void main(String[] arguments) throws IOException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(arguments[2], new RetryOneTime(RETRY_MS));
        client.start();
        CuratorMutexCycles cycles = new CuratorMutexCycles(client, arguments[1].equals("hot"));
        ClosedLoop.serve(Integer.parseInt(arguments[0]), cycles::client);
    }

    private ClosedLoop.Client client(int number) {
        releasedAt = System.nanoTime();
        InterProcessMutex mutex = new InterProcessMutex(client, ROOT + (hot ? "hot" : "lock-" + number));
        return () -> cycle(mutex);
    }

    private OptionalLong cycle(InterProcessMutex mutex) throws Exception {
        long began = System.nanoTime();
        if (!mutex.acquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
            return OptionalLong.empty();
        }
        long handedOver = System.nanoTime() - releasedAt;
        releasedAt = System.nanoTime();
        mutex.release();
        return OptionalLong.of(hot ? handedOver : System.nanoTime() - began);
    }
}
