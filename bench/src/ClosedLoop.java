package io.quorumlock.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Keeps a number of clients busy: each begins its next operation when its last one has ended. */
final class ClosedLoop {
    /** An operation that takes longer than this will not end any more. */
    private static final int PATIENCE_SECONDS = 20;

    private ClosedLoop() {}

    /** Is one client's way to do an operation; it says whether it succeeded, and never at once on the caller's stack. */
    @FunctionalInterface
    interface Operation {
        CompletableFuture<Boolean> begin();
    }

    static Sample run(int clients, Duration duration, IntFunction<Operation> operations) throws Exception {
        long begin = System.nanoTime();
        List<Client> all = IntStream.range(0, clients)
                .mapToObj(i -> new Client(operations.apply(i), begin + duration.toNanos()))
                .toList();
        all.forEach(Client::next);
        CompletableFuture.allOf(all.stream().map(client -> client.done).toArray(CompletableFuture[]::new))
                .get(duration.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS);
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        long failed = all.stream().mapToLong(client -> client.failed).sum();
        return Sample.of(
                Latencies.merge(all.stream().map(client -> client.latencies).toList()), failed, elapsed);
    }

    private static final class Client {
        private final Operation operation;
        private final long end;
        private final Latencies latencies = new Latencies();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private long failed;

        Client(Operation operation, long end) {
            this.operation = operation;
            this.end = end;
        }

        void next() {
            long began = System.nanoTime();
            if (began - end >= 0) {
                done.complete(null);
                return;
            }
            operation.begin().whenComplete((succeeded, broken) -> {
                if (broken != null) {
                    done.completeExceptionally(broken);
                    return;
                }
                if (succeeded) {
                    latencies.add(System.nanoTime() - began);
                } else {
                    failed++;
                }
                next();
            });
        }
    }
}
