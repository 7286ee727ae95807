package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Keeps a number of clients of the service busy: each begins its next operation when its last one has ended. */
final class HttpLoop implements Part {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Service> services;
    private final HttpConnections connections;
    private int busy;

    /** @param services are taken by turns */
    HttpLoop(List<Service> services, int clients, Supplier<Dialogue> dialogues) throws IOException {
        this.services = services;
        connections =
                new HttpConnections(services.stream().map(Service::address).toList(), clients, dialogues);
    }

    @Override
    public void prepare() throws IOException {
        connections.open();
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        long begin = System.nanoTime();
        long end = begin + duration.toNanos();
        busy = 0;
        for (HttpConnection connection : connections.all()) {
            connection.begin(System.nanoTime());
            busy++;
        }
        while (busy > 0) {
            Duration rest = connections.sendDue(PATIENCE);
            boolean read = connections.await(rest, connection -> proceed(connection, end));
            if (!read && rest.equals(PATIENCE)) {
                throw new IOException("no answer for " + PATIENCE.toSeconds() + " s");
            }
        }
        return connections.sample(Duration.ofNanos(System.nanoTime() - begin));
    }

    private void proceed(HttpConnection connection, long end) throws IOException {
        if (!connection.proceed()) {
            return;
        }
        long now = System.nanoTime();
        if (now - end < 0) {
            connection.begin(now);
        } else {
            busy--;
        }
    }

    @Override
    public Map<String, Double> facts() {
        return services.get(0).facts();
    }

    @Override
    public void close() {
        connections.close();
    }
}
