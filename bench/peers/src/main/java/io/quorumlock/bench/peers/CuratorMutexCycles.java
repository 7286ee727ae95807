// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

/**
 * Clients that acquire and release Curator's InterProcessMutex in a closed loop. The arguments are the number of clients,
 * each of them a thread with a lock of its own, or with "hot" one lock of all, and the servers. An input line
 * {@code run MILLISECONDS} is answered by {@code FAILED ELAPSED_NS LATENCY_NS...}. The latency is that of a cycle, or of a
 * hand-over: from the begin of a release to the next acquire. The process exits at the end of its input.
 */
final class CuratorMutexCycles {
    private static final int LONGEST_WAIT_SECONDS = 10;
    private static final int RETRY_MS = 100;
    private static final String ROOT = "/curator/" + System.nanoTime() + "/";

    private final CuratorFramework client;
    private final boolean hot;
    private final AtomicLong failed = new AtomicLong();
    private volatile long releasedAt;

    private CuratorMutexCycles(CuratorFramework client, boolean hot) {
        this.client = client;
        this.hot = hot;
    }

    public static void main(String[] arguments) throws IOException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(arguments[2], new RetryOneTime(RETRY_MS));
        client.start();
        CuratorMutexCycles cycles = new CuratorMutexCycles(client, arguments[1].equals("hot"));
        int clients = Integer.parseInt(arguments[0]);
        ExecutorService threads = Executors.newCachedThreadPool();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            long milliseconds = Long.parseLong(line.split(" ")[1]);
            threads.submit(() -> cycles.answer(threads, clients, milliseconds));
        }
        Runtime.getRuntime().halt(0);
    }

    private void answer(ExecutorService threads, int clients, long milliseconds) {
        try {
            System.out.println(run(threads, clients, milliseconds));
        } catch (InterruptedException | ExecutionException e) {
            System.err.println(e);
            Runtime.getRuntime().halt(1);
        }
    }

    private String run(ExecutorService threads, int clients, long milliseconds)
            throws InterruptedException, ExecutionException {
        failed.set(0);
        long begin = System.nanoTime();
        releasedAt = begin;
        List<Future<List<Long>>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            InterProcessMutex mutex = new InterProcessMutex(client, ROOT + (hot ? "hot" : "lock-" + i));
            all.add(threads.submit(() -> client(mutex, begin + milliseconds * 1_000_000)));
        }
        StringBuilder latencies = new StringBuilder();
        for (Future<List<Long>> each : all) {
            each.get().forEach(latency -> latencies.append(' ').append(latency));
        }
        return failed + " " + (System.nanoTime() - begin) + latencies;
    }

    private List<Long> client(InterProcessMutex mutex, long end) {
        List<Long> latencies = new ArrayList<>();
        for (long began = System.nanoTime(); began - end < 0; began = System.nanoTime()) {
            try {
                if (!mutex.acquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                    failed.incrementAndGet();
                    continue;
                }
                long handedOver = System.nanoTime() - releasedAt;
                releasedAt = System.nanoTime();
                mutex.release();
                latencies.add(hot ? handedOver : System.nanoTime() - began);
            } catch (Exception e) {
                failed.incrementAndGet();
            }
        }
        return latencies;
    }
}
