// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Clients of Redisson's RedLock under faults. They record all calls in the format of {@code verification/history.md}, and end
 * when the standard input is closed. The arguments are a name, the history file, and the host and port of each master.
 */
final class RedissonClients {
    private static final int WORKERS = 12;
    private static final int LOCKS = 60;
    private static final int CONTENDED = 10;
    /** That of the service in these runs. The default of three seconds, with retries, is longer than the leases. */
    private static final int NODE_TIMEOUT_MS = 95;

    private static final int PING_MS = 500;
    private static final int STARTS = 200;

    private final String name;
    private final PrintWriter history;
    private final List<RedissonClient> masters;
    private long lines;
    private volatile boolean stopped;

    private record Asked(String lock, String token, long ttlMs) {}

    private RedissonClients(String name, PrintWriter history, List<RedissonClient> masters) {
        this.name = name;
        this.history = history;
        this.masters = masters;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<RedissonClient> masters =
                Stream.of(arguments).skip(2).map(RedissonClients::connect).toList();
        try (PrintWriter history = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
            new RedissonClients(arguments[0], history, masters).run();
        }
        System.exit(0);
    }

    private static RedissonClient connect(String address) {
        Config config = new Config().setThreads(4).setNettyThreads(4);
        config.useSingleServer()
                .setAddress("redis://" + address)
                .setTimeout(NODE_TIMEOUT_MS)
                .setRetryAttempts(0)
                .setPingConnectionInterval(PING_MS)
                .setConnectionMinimumIdleSize(2)
                .setConnectionPoolSize(WORKERS);
        for (int i = 1; i < STARTS; i++) {
            try {
                return Redisson.create(config);
            } catch (RedisConnectionException cold) {
                // A cold JVM needs longer than the timeout.
            }
        }
        return Redisson.create(config);
    }

    private void run() throws IOException, InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 1; i <= WORKERS; i++) {
            int number = i;
            workers.add(new Thread(() -> work(number)));
        }
        workers.forEach(Thread::start);
        System.in.transferTo(OutputStream.nullOutputStream());
        stopped = true;
        for (Thread worker : workers) {
            worker.join();
        }
        history.printf("{\"is\":\"end\",\"process\":\"%s\",\"lines\":%d}%n", name, lines);
    }

    private void work(int worker) {
        try {
            for (int count = 1; !stopped; count++) {
                round(name + "-" + worker + "-" + count);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("deprecation")
    private void round(String token) throws InterruptedException {
        long ttl = percent(80) ? between(300, 800) : between(800, 2_000);
        Asked asked = new Asked("fault/" + between(0, (percent(33) ? CONTENDED : LOCKS) - 1), token, ttl);
        RedissonRedLock lock = new RedissonRedLock(
                masters.stream().map(master -> master.getLock(asked.lock())).toArray(RLock[]::new));
        if (record("ACQUIRE", asked, () -> lock.tryLock(0, ttl, MILLISECONDS))) {
            hold(ttl);
            record("RELEASE", asked, () -> {
                lock.unlock();
                return true;
            });
            Thread.sleep(between(5, 30));
        } else {
            Thread.sleep(between(5, 40));
        }
    }

    /** Holds a lock. All are released at last, because a thread gets a lock again that it has left to expire. */
    private static void hold(long ttl) throws InterruptedException {
        long way = between(0, 99);
        if (way < 70) {
            Thread.sleep(between(5, 30));
        } else if (way < 92) {
            Thread.sleep(between(0, ttl));
        } else { // beyond the end, like a holder that was paused
            Thread.sleep(ttl + between(0, 200));
        }
    }

    /** Makes a call, writes it down, and returns whether it was successful. A lease that has ended already is not counted. */
    private boolean record(String operation, Asked asked, Callable<Boolean> call) {
        long sent = System.nanoTime();
        boolean done = succeeds(call);
        long answered = System.nanoTime();
        String result = "\"outcome\":\"UNCONFIRMED\"";
        if (done && operation.equals("RELEASE")) {
            result = "\"outcome\":\"DONE\"";
        } else if (done) {
            // Redisson tells no end. This is the lease less the drift of Redlock, from the begin of the call.
            long validity = MILLISECONDS.toNanos(asked.ttlMs()) * 99 / 100 - MILLISECONDS.toNanos(2);
            done = sent + validity >= answered;
            result = done ? "\"outcome\":\"DONE\",\"validity\":" + validity : result;
        }
        write(String.format(
                "{\"is\":\"call\",\"call\":{\"client\":\"%s\",\"operation\":\"%s\",\"sent\":%d,\"answered\":%d,"
                        + "\"terms\":{\"names\":[\"%s\"],\"token\":\"%s\",\"ttl\":%d,\"kind\":{\"type\":\"EXCLUSIVE\"}},"
                        + "\"result\":{%s}}}",
                name, operation, sent, answered, asked.lock(), asked.token(), MILLISECONDS.toNanos(asked.ttlMs()), result));
        return done;
    }

    private static boolean succeeds(Callable<Boolean> call) {
        try {
            return call.call();
        } catch (Exception failed) {
            return false;
        }
    }

    private synchronized void write(String line) {
        history.println(line);
        lines++;
    }

    private static boolean percent(int of) {
        return between(0, 99) < of;
    }

    private static long between(long least, long most) {
        return ThreadLocalRandom.current().nextLong(least, most + 1);
    }
}
