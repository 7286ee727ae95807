// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Many clients that wait for a few held locks. */
final class Crowd implements AutoCloseable {
    private static final int RESOURCES = 10;
    private static final String TTL = "ttlMs=60000";
    private static final String WAIT = "&waitMs=60000";

    private final Service service;
    private final HttpConnections waiting;

    private Crowd(Service service, HttpConnections waiting) {
        this.service = service;
        this.waiting = waiting;
    }

    /** Starts the clients and returns when all of them wait. */
    static Crowd gather(Service service, int size) throws IOException {
        String name = Workload.newResource() + "/";
        for (int i = 0; i < RESOURCES; i++) {
            service.request("POST", "/locks/" + name + i + "?" + TTL);
        }
        int[] next = new int[1];
        Crowd crowd = new Crowd(
                service, new HttpConnections(service.address(), size, () -> new Waiter(name + next[0]++ % RESOURCES)));
        try {
            crowd.waiting.open();
            for (HttpConnection connection : crowd.waiting.all()) {
                connection.begin(System.nanoTime());
            }
            service.awaitWaiters(waiters -> waiters >= size);
            return crowd;
        } catch (IOException | RuntimeException e) {
            crowd.waiting.close();
            throw e;
        }
    }

    /** Throws an IllegalStateException if a client got a response. */
    void check() throws IOException {
        waiting.poll(HttpConnection::proceed);
    }

    /** Closes all connections and returns when the service has noticed it. */
    @Override
    public void close() {
        waiting.close();
        service.awaitWaiters(waiters -> waiters == 0);
    }

    private record Waiter(String resource) implements HttpOperation {
        @Override
        public String first() {
            return HttpOperation.acquireRequest(resource, TTL + WAIT);
        }

        @Override
        public String next(HttpConnection.Response response) {
            throw new IllegalStateException("a client of the crowd does not wait: " + response);
        }

        @Override
        public boolean succeeded() {
            return false;
        }
    }

    /** Another workload while a crowd waits for other locks. */
    static final class Background extends Workload.Wrapper {
        private final Service service;
        private final int size;
        private Crowd crowd;

        Background(Service service, int size, Workload workload) {
            super(workload);
            this.service = service;
            this.size = size;
        }

        @Override
        public void prepare() throws Exception {
            crowd = gather(service, size);
            super.prepare();
        }

        @Override
        public Sample run(Duration duration) throws Exception {
            Sample sample = super.run(duration);
            crowd.check();
            return sample;
        }

        @Override
        public void cleanUp() {
            if (crowd != null) {
                crowd.close();
                crowd = null;
            }
        }

        @Override
        public void close() {
            cleanUp();
            super.close();
        }
    }

    /** The memory that a crowd needs on a service that was just started. An operation is the arrival of one client. */
    static final class MemoryUse implements Workload {
        private static final int WARM_UP_DIVISOR = 10;

        private final Environment environment;
        private final int size;
        private final Map<String, Double> facts = new LinkedHashMap<>();

        MemoryUse(Environment environment, int size) {
            this.environment = environment;
            this.size = size;
        }

        @Override
        public Sample run(Duration duration) throws IOException {
            ServiceConfig config = ServiceConfig.MANY_WAITERS.named("crowd");
            try (Service service = Service.start(environment.masters().urls(), config)) {
                gather(service, size / WARM_UP_DIVISOR).close(); // loads all classes
                service.collectGarbage();
                double heap = service.usedHeapMebibytes();
                double resident = service.residentMebibytes();
                long begin = System.nanoTime();
                try (Crowd crowd = gather(service, size)) {
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
}
