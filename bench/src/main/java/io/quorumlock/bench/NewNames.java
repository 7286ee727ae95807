// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;
import org.apache.zookeeper.ZooKeeper;

/**
 * Acquires of new names at a fixed rate, whose leases nobody releases, and how many records the store has meanwhile for those
 * that are valid.
 */
final class NewNames implements Workload {
    private static final double PER_SECOND = 10_000 / 60.0;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int REPLICAS = 2;
    /** Apart from the other parts on the same store. */
    private static final String ROOT = "/names";
    /** A run lasts many TTLs, because records may become more and more. */
    private static final int ROUNDS = 10;

    private static final Duration LATE = Duration.ofMinutes(1);
    private static final int COUNT_MS = 1_000;
    private static final double PER_MILLE = 1_000;

    private final List<Service> replicas = new ArrayList<>();
    private final List<HttpLoad> loads = new ArrayList<>();
    private final Callable<Long> records;
    /** When the latest leases were granted. */
    private final Queue<Long> grants = new ConcurrentLinkedQueue<>();

    private final Map<String, Double> facts = new LinkedHashMap<>();

    NewNames(Environment environment, Store.Kind kind) throws IOException {
        Store store = environment.store(kind);
        for (int replica = 1; replica <= REPLICAS; replica++) {
            Service service = environment.service(store.service()
                    .named(kind.title + "-names-" + replica)
                    .with("QUORUMLOCK_" + kind.name() + "_ROOT", ROOT)
                    .with("QUARKUS_HTTP_IDLE_TIMEOUT", "1h")); // few of the connections are used
            replicas.add(service);
            loads.add(new HttpLoad.FixedRate(
                    service,
                    any -> PER_SECOND / REPLICAS,
                    LATE,
                    () -> new Lease("ttlMs=" + TTL.toMillis(), () -> grants.add(System.nanoTime()))));
        }
        records = kind == Store.Kind.ETCD ? onEtcd(store.servers()) : onZooKeeper(store.servers());
    }

    /**
     * Counts by a client that ends with the benchmark. The root has a node for each bucket, and each record below them is a
     * node with one child.
     */
    private static Callable<Long> onZooKeeper(String servers) throws IOException {
        ZooKeeper client = new ZooKeeper(servers, (int) TTL.toMillis(), event -> {});
        return () -> (client.getAllChildrenNumber(ROOT)
                        - client.getChildren(ROOT, false).size())
                / 2L;
    }

    private static Callable<Long> onEtcd(String servers) {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(servers.split(",")[0] + "/v3/kv/range"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"key\":\"%s\",\"range_end\":\"%s\",\"count_only\":true}"
                        .formatted(base64(ROOT + "/"), base64(ROOT + "0")))) // a zero follows the slash
                .build();
        return () -> {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("etcd does not count its keys: " + answer.body());
            }
            return new ObjectMapper().readTree(answer.body()).path("count").asLong();
        };
    }

    private static String base64(String key) {
        return Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void prepare() throws Exception {
        for (HttpLoad load : loads) {
            load.prepare();
        }
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        long began = System.nanoTime();
        List<CompletableFuture<Sample>> running = loads.stream()
                .map(load -> CompletableFuture.supplyAsync(() -> run(load, duration.multipliedBy(ROUNDS))))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
        Histogram ratios = Sample.newHistogram();
        while (!all.isDone()) {
            replicas.get(0).rest(COUNT_MS);
            double ratio = (double) records.call() / valid();
            if (System.nanoTime() - began > TTL.toNanos()) {
                ratios.recordValue(Math.round(ratio * PER_MILLE));
            }
        }
        Sample sample = sum(running.stream().map(CompletableFuture::join).toList());
        facts.put("records for 100 valid leases, median", percent(ratios, 50));
        facts.put("records for 100 valid leases, nine tenths of the time", percent(ratios, 90));
        facts.put("records for 100 valid leases, most", percent(ratios, 100));
        facts.put("failed acquires", (double) sample.failed());
        return sample;
    }

    private static Sample run(HttpLoad load, Duration duration) {
        try {
            return load.run(duration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int valid() {
        long oldest = System.nanoTime() - TTL.toNanos();
        while (!grants.isEmpty() && grants.peek() - oldest < 0) {
            grants.remove();
        }
        return grants.size();
    }

    private static Sample sum(List<Sample> samples) {
        Histogram latencies = Sample.newHistogram();
        samples.forEach(sample -> latencies.add(sample.latencies()));
        long failed = samples.stream().mapToLong(Sample::failed).sum();
        return Sample.of(latencies, failed, samples.get(0).elapsed());
    }

    private static double percent(Histogram ratios, double percentile) {
        return 100 * ratios.getValueAtPercentile(percentile) / PER_MILLE;
    }

    @Override
    public Map<String, Double> facts() {
        return new LinkedHashMap<>(facts);
    }

    @Override
    public void close() {
        loads.forEach(HttpLoad::close);
    }

    /** An acquire of a new name. Nobody releases it. */
    static final class Lease implements HttpOperation {
        private final String ttl;
        private final Runnable onGrant;
        private boolean granted;

        Lease(String ttl, Runnable onGrant) {
            this.ttl = ttl;
            this.onGrant = onGrant;
        }

        @Override
        public String first() {
            return HttpOperation.acquireRequest(Workload.newResource(), ttl);
        }

        @Override
        public String next(HttpConnection.Response response) {
            granted = response.status() == 201;
            if (granted) {
                onGrant.run();
            }
            return null;
        }

        @Override
        public boolean succeeded() {
            return granted;
        }
    }
}
