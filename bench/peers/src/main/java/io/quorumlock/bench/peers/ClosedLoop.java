// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Clients that acquire and release locks in a closed loop, each in a thread. An input line {@code run MILLISECONDS} is
 * answered by {@code FAILED ELAPSED_NS LATENCY_NS...}. The process exits at the end of its input.
 */
final class ClosedLoop {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong failed = new AtomicLong();
    private final int clients;
    private final IntFunction<Client> factory;

    /** One client, for one run. */
    @FunctionalInterface
    interface Client {
        /** Acquires and releases a lock. Returns the latency in nanoseconds; empty if the lock was not acquired. */
        OptionalLong cycle() throws Exception;
    }

    private ClosedLoop(int clients, IntFunction<Client> factory) {
        this.clients = clients;
        this.factory = factory;
    }

    /** Answers all input lines. @param factory creates the client of a number, for each run */
    static void serve(int clients, IntFunction<Client> factory) throws IOException {
        ClosedLoop loop = new ClosedLoop(clients, factory);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            long milliseconds = Long.parseLong(line.split(" ")[1]);
            loop.threads.submit(() -> loop.answer(milliseconds));
        }
        Runtime.getRuntime().halt(0);
    }

    private void answer(long milliseconds) {
        try {
            System.out.println(run(milliseconds));
        } catch (InterruptedException | ExecutionException e) {
            System.err.println(e);
            Runtime.getRuntime().halt(1);
        }
    }

    private String run(long milliseconds) throws InterruptedException, ExecutionException {
        failed.set(0);
        List<Client> idle = IntStream.range(0, clients).mapToObj(factory).toList();
        long begin = System.nanoTime();
        List<Future<List<Long>>> all = new ArrayList<>();
        for (Client client : idle) {
            all.add(threads.submit(() -> repeat(client, begin + milliseconds * 1_000_000)));
        }
        StringBuilder latencies = new StringBuilder();
        for (Future<List<Long>> client : all) {
            client.get().forEach(latency -> latencies.append(' ').append(latency));
        }
        return failed + " " + (System.nanoTime() - begin) + latencies;
    }

    private List<Long> repeat(Client client, long end) {
        List<Long> latencies = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
            try {
                client.cycle().ifPresentOrElse(latencies::add, failed::incrementAndGet);
            } catch (Exception e) {
                failed.incrementAndGet();
            }
        }
        return latencies;
    }
}
