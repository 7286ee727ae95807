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
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Clients that acquire and release locks with Redisson's RedLock in a closed loop. The arguments are the number of
 * clients, each of them a thread, and the URLs of the masters. An input line {@code run MILLISECONDS} is answered by
 * {@code FAILED ELAPSED_NS LATENCY_NS...}. The process exits at the end of its input.
 */
final class RedissonRedLockCycles {
    private static final int TTL_MS = 1_000;
    private static final String RUN = "redisson/" + ProcessHandle.current().pid() + "/" + System.nanoTime() + "/";

    private final List<RedissonClient> masters = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    public static void main(String[] arguments) throws IOException {
        RedissonRedLockCycles cycles = new RedissonRedLockCycles();
        for (int i = 1; i < arguments.length; i++) {
            Config config = new Config();
            config.useSingleServer().setAddress(arguments[i]);
            cycles.masters.add(Redisson.create(config));
        }
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
        List<Future<List<Long>>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(threads.submit(() -> client(begin + milliseconds * 1_000_000)));
        }
        StringBuilder latencies = new StringBuilder();
        for (Future<List<Long>> client : all) {
            client.get().forEach(latency -> latencies.append(' ').append(latency));
        }
        return failed + " " + (System.nanoTime() - begin) + latencies;
    }

    private List<Long> client(long end) throws InterruptedException {
        List<Long> latencies = new ArrayList<>();
        for (long began = System.nanoTime(); began - end < 0; began = System.nanoTime()) {
            if (cycle()) {
                latencies.add(System.nanoTime() - began);
            } else {
                failed.incrementAndGet();
            }
        }
        return latencies;
    }

    /** Uses no waiting time, which is faster: with one, Redisson sets the expiry of each key a second time. */
    @SuppressWarnings("deprecation")
    private boolean cycle() throws InterruptedException {
        String name = RUN + names.incrementAndGet();
        RedissonRedLock lock = new RedissonRedLock(
                masters.stream().map(master -> master.getLock(name)).toArray(RLock[]::new));
        try {
            if (!lock.tryLock(0, TTL_MS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            lock.unlock();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
