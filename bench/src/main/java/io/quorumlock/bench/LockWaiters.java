// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Many clients of which each waits for a lock of its own that another client holds. */
final class LockWaiters implements AutoCloseable {
    private static final int ARRIVING = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String TTL = "ttlMs=3600000";
    private static final String WAIT = "&waitMs=60000";

    private final HttpConnections connections;
    private int held;

    private LockWaiters(Service service, int count) throws IOException {
        connections = new HttpConnections(service.address(), count, Client::new);
    }

    /** Starts the clients, some at a time, and returns when all of them wait. */
    private static LockWaiters gather(Service service, int count) throws IOException {
        LockWaiters waiters = new LockWaiters(service, count);
        try {
            int begun = 0;
            while (waiters.held < count) {
                for (; begun < count && begun - waiters.held < ARRIVING; begun++) {
                    waiters.connections.openNext().begin(System.nanoTime());
                }
                if (!waiters.connections.await(TIMEOUT, HttpConnection::proceed)) {
                    throw new IOException("only " + waiters.held + " of " + count + " locks were granted");
                }
            }
            service.awaitGauge("quorumlock_waiters", waiting -> waiting >= count);
            return waiters;
        } catch (IOException | RuntimeException e) {
            waiters.close();
            throw e;
        }
    }

    /** Repeats the requests of those whose wait has ended. */
    private void repeat() throws IOException {
        connections.poll(HttpConnection::proceed);
    }

    @Override
    public void close() {
        connections.close();
    }

    /** Acquires a new lock, and then waits for the same lock with another token. */
    private final class Client implements HttpOperation {
        private final String resource = Workload.newResource();
        private boolean waits;

        @Override
        public String first() {
            return request();
        }

        private String request() {
            return HttpOperation.acquireRequest(resource, waits ? TTL + WAIT : TTL);
        }

        @Override
        public String next(HttpConnection.Response response) {
            boolean acquired = response.status() == 201;
            if (acquired && waits) {
                throw new IllegalStateException("a client got a lock that another one holds");
            }
            if (acquired) {
                waits = true;
                held++;
            }
            return request();
        }

        @Override
        public boolean succeeded() {
            return false;
        }
    }

    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /** A fault that ends announcements of releases. */
    record Cut(String name, Step step) {}

    /**
     * Cycles of one client while nobody waits, while many clients wait, and after cuts of their announcements. The sample is
     * that of the time with waiters; the others are additional figures.
     */
    static final class Beside implements Workload {
        private final Service service;
        private final int count;
        private final List<Cut> cuts;
        private final HttpLoad client;
        private final Map<String, Double> facts = new LinkedHashMap<>();

        Beside(Service service, int count, List<Cut> cuts) throws IOException {
            this.service = service;
            this.count = count;
            this.cuts = cuts;
            this.client = new HttpLoad.ClosedLoop(List.of(service), 1, HttpOperation.Cycle::new);
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            facts.clear();
            phase("nobody waits", duration, () -> {});
            try (LockWaiters waiters = gather(service, count)) {
                phase("they have just come", duration, waiters::repeat);
                Sample sample = phase("they wait", duration, waiters::repeat);
                for (Cut cut : cuts) {
                    cut.step().run();
                    phase(cut.name(), duration, waiters::repeat);
                }
                return sample;
            } finally {
                service.awaitGauge("quorumlock_waiters", waiting -> waiting == 0);
            }
        }

        private Sample phase(String name, Duration duration, Step eachSecond) throws IOException {
            client.prepare();
            long began = System.nanoTime();
            final Duration cpu = cpu();
            final long attempts = attempts();
            long cycles = 0;
            long before = attempts;
            Sample sample = null;
            for (int second = 1; second <= duration.toSeconds(); second++) {
                sample = client.run(Duration.ofSeconds(1));
                eachSecond.run();
                long now = attempts();
                long own = sample.succeeded() + sample.failed() - cycles;
                cycles += own;
                facts.put(String.format(Locale.ROOT, "%s: attempts in second %d", name, second), (double)
                        (now - before - own));
                before = now;
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
            sample = Sample.of(sample.latencies(), sample.failed(), elapsed);
            double seconds = elapsed.toNanos() / 1e9;
            facts.put(name + ": attempts a second", (before - attempts - cycles) / seconds);
            facts.put(name + ": CPU of the service, %", cpu().minus(cpu).toNanos() / 1e7 / seconds);
            facts.put(name + ": cycles a second", sample.perSecond());
            facts.put(name + ": failed cycles", (double) sample.failed());
            facts.put(name + ": p50 us", sample.micros(0.5));
            facts.put(name + ": p99 us", sample.micros(0.99));
            facts.put(name + ": longest us", sample.micros(1));
            return sample;
        }

        private long attempts() throws IOException {
            return service.count("quorumlock_acquire_seconds_count");
        }

        private Duration cpu() {
            return service.handle().info().totalCpuDuration().orElseThrow();
        }

        @Override
        public Map<String, Double> facts() {
            return new LinkedHashMap<>(facts);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Readers that wait for a writer. An operation lasts from the release of the writer until all readers have the lock. */
    static final class Readers implements Workload {
        private final Service service;
        private final int count;
        private final HttpConnections readers;
        private String resource;
        private int granted;

        Readers(Service service, int count) throws IOException {
            this.service = service;
            this.count = count;
            this.readers = new HttpConnections(service.address(), count, Reader::new);
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            Histogram latencies = Sample.newHistogram();
            long begin = System.nanoTime();
            do {
                resource = Workload.newResource();
                granted = 0;
                HttpConnection.Response lease = service.request("POST", "/locks/" + resource + "?" + TTL);
                readers.open();
                for (HttpConnection reader : readers.all()) {
                    reader.begin(System.nanoTime());
                }
                service.awaitGauge("quorumlock_waiters", waiting -> waiting >= count);
                long released = System.nanoTime();
                service.request("DELETE", "/locks/" + resource, Map.of("Lock-Token", lease.token()));
                while (granted < count) {
                    if (!readers.await(TIMEOUT, HttpConnection::proceed)) {
                        throw new IOException("only " + granted + " of " + count + " readers got the lock");
                    }
                }
                latencies.recordValue(System.nanoTime() - released);
            } while (System.nanoTime() - begin < duration.toNanos());
            return Sample.of(latencies, 0, Duration.ofNanos(System.nanoTime() - begin));
        }

        @Override
        public void close() {
            readers.close();
        }

        private final class Reader implements HttpOperation {
            @Override
            public String first() {
                return HttpOperation.acquireRequest(resource, TTL + WAIT + "&mode=shared");
            }

            @Override
            public String next(HttpConnection.Response response) {
                if (response.status() != 201) {
                    throw new IllegalStateException("a reader did not get the lock: " + response);
                }
                granted++;
                return null;
            }

            @Override
            public boolean succeeded() {
                return false;
            }
        }
    }
}
