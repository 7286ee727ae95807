package io.quorumlock.bench;

import java.io.IOException;

/** Is a large number of clients that wait for a few locks and do not get them. */
final class Crowd implements AutoCloseable {
    private static final int RESOURCES = 10;
    private static final String TERMS = "ttlMs=60000";
    private static final String PATIENTLY = "&waitMs=60000";

    private final Service service;
    private final HttpConnections waiting;

    private Crowd(Service service, HttpConnections waiting) {
        this.service = service;
        this.waiting = waiting;
    }

    /** Lets so many wait, and returns when all do. */
    static Crowd gather(Service service, int size) throws IOException {
        String name = Names.next() + "/";
        for (int i = 0; i < RESOURCES; i++) {
            service.ask("POST", "/locks/" + name + i + "?" + TERMS);
        }
        int[] next = new int[1];
        Crowd crowd = new Crowd(
                service, new HttpConnections(service.address(), size, () -> new Waiter(name + next[0]++ % RESOURCES)));
        try {
            crowd.waiting.open();
            for (HttpConnection connection : crowd.waiting.all()) {
                connection.begin(System.nanoTime());
            }
            service.awaitWaiters(all -> all >= size);
            return crowd;
        } catch (IOException | RuntimeException e) {
            crowd.waiting.close();
            throw e;
        }
    }

    /** Refuses a crowd in which somebody was answered. */
    void check() throws IOException {
        waiting.poll(HttpConnection::proceed);
    }

    /** Lets all hang up, and returns when the service has noticed. */
    @Override
    public void close() {
        waiting.close();
        service.awaitWaiters(all -> all == 0);
    }

    private static final class Waiter implements Dialogue {
        private final String resource;

        Waiter(String resource) {
            this.resource = resource;
        }

        @Override
        public String first() {
            return HttpCycle.acquire(resource, TERMS + PATIENTLY);
        }

        @Override
        public String next(HttpAnswer answer) {
            throw new IllegalStateException("a client of the crowd does not wait: " + answer);
        }

        @Override
        public boolean succeeded() {
            return false;
        }
    }
}
