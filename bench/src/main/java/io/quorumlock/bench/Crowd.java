// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.bench.HttpOperation.Hold;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Many clients that do nothing: they wait for a few held locks, listen to their events, or have an idle connection. */
final class Crowd implements AutoCloseable {
    private static final int RESOURCES = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String TTL = "ttlMs=60000";
    private static final String WAIT = "&waitMs=60000";

    private final Service service;
    private final Kind kind;
    private final HttpConnections waiting;

    /** What the clients do. */
    enum Kind {
        WAITERS("quorumlock_waiters"),
        STREAMS("quorumlock_event_streams"),
        CONNECTIONS("");

        /** The gauge of such clients; empty if there is none. */
        private final String gauge;

        Kind(String gauge) {
            this.gauge = gauge;
        }

        private String request(String resource) {
            return switch (this) {
                case WAITERS -> HttpOperation.acquireRequest(resource, TTL + WAIT);
                case STREAMS -> "GET /events?name=" + resource + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                case CONNECTIONS -> "GET /nodes HTTP/1.1\r\nHost: localhost\r\n\r\n";
            };
        }
    }

    private Crowd(Service service, Kind kind, HttpConnections waiting) {
        this.service = service;
        this.kind = kind;
        this.waiting = waiting;
    }

    /** Starts the clients and returns when all of them wait. */
    static Crowd gather(Service service, int size, Kind kind) throws IOException {
        String name = Workload.newResource() + "/";
        for (int i = 0; i < RESOURCES; i++) {
            service.request("POST", "/locks/" + name + i + "?" + TTL);
        }
        int[] next = new int[1];
        Crowd crowd = new Crowd(
                service,
                kind,
                new HttpConnections(service.address(), size, () -> new Client(kind, name + next[0]++ % RESOURCES)));
        try {
            crowd.waiting.open();
            for (HttpConnection connection : crowd.waiting.all()) {
                connection.begin(System.nanoTime());
            }
            crowd.await(size);
            return crowd;
        } catch (IOException | RuntimeException e) {
            crowd.waiting.close();
            throw e;
        }
    }

    private void await(int size) throws IOException {
        if (!kind.gauge.isEmpty()) {
            service.awaitGauge(kind.gauge, clients -> clients >= size);
            return;
        }
        int[] answered = new int[1];
        while (answered[0] < size) {
            if (!waiting.await(TIMEOUT, connection -> answered[0] += connection.proceed() ? 1 : 0)) {
                throw new IOException("only " + answered[0] + " of " + size + " clients got a response");
            }
        }
    }

    /** Throws an exception if a client does not wait any more. */
    void check() throws IOException {
        if (kind != Kind.STREAMS) {
            waiting.poll(HttpConnection::proceed);
        }
    }

    /** Closes all connections and returns when the service has noticed it. */
    @Override
    public void close() {
        waiting.close();
        if (!kind.gauge.isEmpty()) {
            service.awaitGauge(kind.gauge, clients -> clients == 0);
        }
    }

    private record Client(Kind kind, String resource) implements HttpOperation {
        @Override
        public String first() {
            return kind.request(resource);
        }

        @Override
        public String next(HttpConnection.Response response) {
            if (kind != Kind.CONNECTIONS) {
                throw new IllegalStateException("a client of the crowd does not wait: " + response);
            }
            return null;
        }

        @Override
        public boolean succeeded() {
            return false;
        }
    }

    /** The memory that a crowd needs on a service that was just started. An operation is the arrival of one client. */
    static final class MemoryUse implements Workload {
        private static final int WARM_UP_DIVISOR = 10;

        private final Environment environment;
        private final int size;
        private final Kind kind;
        private final Map<String, Double> facts = new LinkedHashMap<>();

        MemoryUse(Environment environment, int size, Kind kind) {
            this.environment = environment;
            this.size = size;
            this.kind = kind;
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            ServiceConfig config = ServiceConfig.MANY_WAITERS.named("crowd");
            try (Service service = Service.start(environment.masters().urls(), config)) {
                gather(service, size / WARM_UP_DIVISOR, kind).close(); // loads all classes
                service.collectGarbage();
                double heap = service.usedHeapMebibytes();
                double resident = service.residentMebibytes();
                long begin = System.nanoTime();
                try (Crowd crowd = gather(service, size, kind)) {
                    long elapsed = System.nanoTime() - begin;
                    facts.put("more resident MiB", service.residentMebibytes() - resident);
                    service.collectGarbage();
                    crowd.check();
                    facts.put("more resident MiB after a collection", service.residentMebibytes() - resident);
                    facts.put("more heap MiB in use after a collection", service.usedHeapMebibytes() - heap);
                    Histogram latencies = Sample.newHistogram();
                    latencies.recordValue(elapsed / size);
                    return new Sample(size, 0, latencies, Duration.ofNanos(elapsed));
                }
            }
        }

        @Override
        public Map<String, Double> facts() {
            return Map.copyOf(facts);
        }
    }

    /** The memory and the append-only file that held locks need on a master. An operation is an acquire. */
    static final class HeldLocks implements Workload {
        private static final int PER_SECOND = 500;
        private static final Duration SLACK = Duration.ofMinutes(1);

        private final Environment environment;
        private final int count;
        private final Map<String, Double> facts = new LinkedHashMap<>();

        HeldLocks(Environment environment, int count) {
            this.environment = environment;
            this.count = count;
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            Masters masters = environment.masters();
            Service service = environment.service(ServiceConfig.CAPACITY);
            Hold.Stock stock = new Hold.Stock();
            try (HttpLoad load = new HttpLoad.FixedRate(service, any -> PER_SECOND, SLACK, () -> new Hold(stock))) {
                service.collectGarbage();
                double heap = service.usedHeapMebibytes();
                final long keys = masters.keys();
                final long memory = masters.info("used_memory");
                final long file = fileBytes();
                load.prepare();
                Sample sample = load.run(timeFor(count)).checked();
                int held = stock.releases.size();
                final long fileHeld = fileBytes();
                final long memoryHeld = masters.info("used_memory");
                facts.put("bytes of the append-only file for an acquire", (double) (fileHeld - file) / held);
                service.collectGarbage();
                facts.put("heap MiB of the service in use after a collection", heap);
                facts.put("more heap MiB of the service in use after a collection", service.usedHeapMebibytes() - heap);
                facts.put("KiB of the append-only file after a rewrite", masters.rewrite(service) / 1024.0);
                final long fileRewritten = fileBytes();
                stock.full = true;
                load.prepare();
                load.run(timeFor(held)).checked();
                facts.put("bytes of the append-only file for a release", (double) (fileBytes() - fileRewritten) / held);
                long memoryLeft = masters.info("used_memory");
                facts.put("bytes of memory for a held lock", (double) (memoryHeld - memoryLeft) / held);
                facts.put("bytes of memory for a counter", (double) (memoryLeft - memory) / (masters.keys() - keys));
                return sample;
            }
        }

        /** Returns a little more than the time for this many operations, so that none is lost by rounding. */
        private static Duration timeFor(int operations) {
            return Duration.ofSeconds(operations).dividedBy(PER_SECOND).plusNanos(1_000);
        }

        /** Returns the bytes that one master has appended so far: all that it wrote, except to its clients. */
        private long fileBytes() {
            Map<String, Long> traffic = environment.masters().traffic();
            return (traffic.get("wchar") - traffic.get("total_net_output_bytes")) / Masters.COUNT;
        }

        @Override
        public Map<String, Double> facts() {
            return Map.copyOf(facts);
        }
    }
}
