// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.Workload.Sample;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;

/** A closed loop of asynchronous clients: each begins its next operation when the previous one has ended. */
final class AsyncLoop {
    private static final int TIMEOUT_SECONDS = 20;

    private AsyncLoop() {}

    /** One client's operation. Its future holds whether it was successful and never completes on the caller's stack. */
    @FunctionalInterface
    interface Operation {
        CompletableFuture<Boolean> begin();
    }

    static Sample run(int clients, Duration duration, IntFunction<Operation> operations) throws Exception {
        ConcurrentHistogram latencies = new ConcurrentHistogram(3);
        LongAdder failed = new LongAdder();
        long begin = System.nanoTime();
        List<Client> all = IntStream.range(0, clients)
                .mapToObj(i -> new Client(operations.apply(i), begin + duration.toNanos(), latencies, failed))
                .toList();
        all.forEach(Client::next);
        CompletableFuture.allOf(all.stream().map(Client::done).toArray(CompletableFuture[]::new))
                .get(duration.toSeconds() + TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return Sample.of(latencies, failed.sum(), Duration.ofNanos(System.nanoTime() - begin));
    }

    private record Client(
            Operation operation,
            long end,
            ConcurrentHistogram latencies,
            LongAdder failed,
            CompletableFuture<Void> done) {

        Client(Operation operation, long end, ConcurrentHistogram latencies, LongAdder failed) {
            this(operation, end, latencies, failed, new CompletableFuture<>());
        }

        void next() {
            long began = System.nanoTime();
            if (began - end >= 0) {
                done.complete(null);
                return;
            }
            operation.begin().whenComplete((succeeded, error) -> {
                if (error != null) {
                    done.completeExceptionally(error);
                    return;
                }
                if (succeeded) {
                    latencies.recordValue(System.nanoTime() - began);
                } else {
                    failed.increment();
                }
                next();
            });
        }
    }
}
