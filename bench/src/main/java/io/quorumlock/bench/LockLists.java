// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * Cycles of one client on a store with many other locks, while nobody lists them and while another client does all the time.
 * The sample is that beside lists; the others are additional figures.
 */
final class LockLists implements Workload {
    private static final int LOCKS = 100_000;
    /** Longer than any run. */
    private static final String TTL = "ttlMs=86400000";

    private static final String TTL_MAX = "24h";
    private static final int FILLING = 64;
    private static final Duration STEP = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Environment environment;
    private final ServiceConfig config;
    private final HttpLoad client;
    private final Map<String, Double> facts = new LinkedHashMap<>();

    private LockLists(Environment environment, ServiceConfig config) throws IOException {
        this.environment = environment;
        this.config = config;
        this.client = new HttpLoad.ClosedLoop(List.of(environment.service(config)), 1, HttpOperation.Cycle::new);
    }

    /** Fills the store with locks, and returns when a list has all of them. */
    static LockLists filled(Environment environment, Store.Kind kind) throws IOException {
        ServiceConfig config =
                environment.store(kind).service().named(kind.title + "-lists").with("QUORUMLOCK_TTL_MAX", TTL_MAX);
        Service service = environment.service(config);
        fill(service);
        service.await("list all locks", () -> list(service) >= LOCKS);
        return new LockLists(environment, config);
    }

    private static void fill(Service service) throws IOException {
        AtomicInteger granted = new AtomicInteger();
        long end = System.nanoTime() + LONGEST.toNanos();
        try (HttpLoad clients = new HttpLoad.ClosedLoop(
                List.of(service), FILLING, () -> new NewNames.Lease(TTL, granted::incrementAndGet))) {
            clients.prepare();
            while (granted.get() < LOCKS) {
                clients.run(STEP);
                if (System.nanoTime() - end > 0) {
                    throw new IOException("only " + granted + " of " + LOCKS + " locks were granted");
                }
            }
        }
    }

    /** Lists all locks, page by page, and returns their number. */
    private static int list(Service service) throws IOException {
        int locks = 0;
        String query = "";
        JsonNode page;
        do {
            HttpConnection.Response response = service.request("GET", "/locks" + query);
            if (response.status() != 200) {
                throw new IOException("no page of a list, but " + response);
            }
            page = JSON.readTree(response.body());
            locks += page.path("locks").size();
            query = "?after=" + URLEncoder.encode(page.path("after").asText(), StandardCharsets.UTF_8);
        } while (page.has("after"));
        return locks;
    }

    private static long listNanos(Service service) throws IOException {
        long began = System.nanoTime();
        int locks = list(service);
        if (locks < LOCKS) {
            throw new IllegalStateException("a list has only " + locks + " of " + LOCKS + " locks");
        }
        return System.nanoTime() - began;
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        facts.clear();
        cycles("nobody lists", duration);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Histogram> lists = CompletableFuture.supplyAsync(() -> listUntil(over));
        Sample sample;
        try {
            sample = cycles("beside lists", duration);
        } finally {
            over.set(true);
        }
        facts.put("a list, median ms", lists.join().getValueAtPercentile(50) / 1e6);
        ServiceConfig second = config.named(config.name() + "-second");
        try (Service justReady = Service.start(environment.masters().urls(), second)) {
            facts.put("first list of a second replica, ms", listNanos(justReady) / 1e6);
        }
        return sample;
    }

    private Sample cycles(String name, Duration duration) throws IOException {
        client.prepare();
        Sample sample = client.run(duration);
        facts.put(name + ": p50 us", sample.micros(0.5));
        facts.put(name + ": p99 us", sample.micros(0.99));
        return sample;
    }

    private Histogram listUntil(AtomicBoolean over) {
        try {
            Histogram times = Sample.newHistogram();
            do {
                times.recordValue(listNanos(environment.service(config)));
            } while (!over.get());
            return times;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
