package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Begins operations at a fixed rate, whatever became of those before. A latency counts from when the operation was to
 * begin, so a pause of the service is felt by all that fell into it (no coordinated omission).
 */
final class FixedRate implements Part {
    private static final int CONNECTIONS = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long NAP_NANOS = 20_000;

    private final Service service;
    private final Pace pace;
    private final HttpConnections connections;
    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private double perSecond;

    FixedRate(Service service, Pace pace, Supplier<Dialogue> dialogues) throws IOException {
        this.service = service;
        this.pace = pace;
        connections = new HttpConnections(service.address(), CONNECTIONS, dialogues);
    }

    @Override
    public void prepare() throws IOException {
        perSecond = pace.perSecond(service);
        connections.open();
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        idle.clear();
        idle.addAll(connections.all());
        long count = (long) (duration.toNanos() / 1e9 * perSecond);
        long begin = System.nanoTime();
        long last = begin + duration.plus(PATIENCE).toNanos();
        long begun = 0;
        while (begun < count || idle.size() < CONNECTIONS) {
            begun = beginWhatIsDue(begin, begun, count);
            if (!connections.poll(this::proceed)) {
                LockSupport.parkNanos(NAP_NANOS);
            }
            if (System.nanoTime() - last > 0) {
                throw new IOException(
                        "only " + begun + " of " + count + " operations could begin, or some did not end");
            }
        }
        return connections.sample(Duration.ofNanos(System.nanoTime() - begin));
    }

    private long beginWhatIsDue(long begin, long begun, long count) throws IOException {
        long next = begun;
        long now = System.nanoTime();
        while (next < count && !idle.isEmpty()) {
            long due = begin + (long) (next * 1e9 / perSecond);
            if (due - now > 0) {
                break;
            }
            idle.poll().begin(due);
            next++;
        }
        return next;
    }

    private void proceed(HttpConnection connection) throws IOException {
        if (connection.proceed()) {
            idle.push(connection); // the latest first, so that few are used while few suffice
        }
    }

    @Override
    public Map<String, Double> facts() {
        return Map.of("rate asked for, cycles/s", perSecond);
    }

    @Override
    public void close() {
        connections.close();
    }
}
