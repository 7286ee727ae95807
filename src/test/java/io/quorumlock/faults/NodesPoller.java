// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Background;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A poller of the replicas' view of the masters. It records when each problem was last reported. */
final class NodesPoller implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(100);
    /**
     * The number of connections per replica. A replica serves connections on several event loops, each of which can be
     * delayed by the machine.
     */
    private static final int CONNECTIONS = 4;

    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration SLOW = Duration.ofMillis(80);
    private static final String SILENT = "silent";
    private static final long NEVER = Long.MIN_VALUE;

    private final Map<String, Long> seen = new ConcurrentHashMap<>();
    private final Map<Integer, JsonNode> latest = new ConcurrentHashMap<>();
    private final Consumer<HistoryLine> history;
    private final List<CompletableFuture<Void>> watching = new ArrayList<>();
    private volatile boolean closed;

    /** @param history receives a stall when a replica answers slowly, because this request needs no master */
    NodesPoller(List<ReplicaProcess> replicas, Consumer<HistoryLine> history) {
        this.history = history;
        for (int i = 1; i <= replicas.size(); i++) {
            int number = i;
            int port = replicas.get(i - 1).port();
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                watching.add(Background.run(() -> watch(number, port)));
            }
        }
    }

    /** Returns whether any replica reported this problem of the master after that time. */
    boolean sawSince(long moment, int master, String problem) {
        return seen.getOrDefault("node-" + master + " " + problem, NEVER) > moment;
    }

    /** Returns whether the replica did not answer at some time after that time. */
    boolean wasSilentSince(long moment, int replica) {
        return seen.getOrDefault("replica-" + replica + " " + SILENT, NEVER) > moment;
    }

    /** Returns whether every answering replica lets the master vote. */
    boolean isUp(int master) {
        return latest.values().stream()
                .allMatch(
                        nodes -> nodes.path("nodes").path(master - 1).path("up").asBoolean());
    }

    boolean areAllUp() {
        return latest.size() == Setup.REPLICAS
                && latest.values().stream()
                        .allMatch(nodes ->
                                nodes.path("up").asInt() == nodes.path("total").asInt());
    }

    private void watch(int replica, int port) {
        try (HttpLine line = new HttpLine(port, PATIENCE)) {
            while (!closed) {
                poll(replica, line);
                Pause.of(PACE);
            }
        }
    }

    private void poll(int replica, HttpLine line) {
        long sent = System.nanoTime();
        try {
            JsonNode nodes = line.send(HttpLine.Request.get("/nodes")).body();
            long now = System.nanoTime();
            latest.put(replica, nodes);
            nodes.path("nodes").forEach(node -> remember(node, now));
        } catch (IOException silent) {
            latest.remove(replica);
            seen.put("replica-" + replica + " " + SILENT, System.nanoTime());
        }
        if (System.nanoTime() - sent > SLOW.toNanos()) {
            history.accept(new Stall("replica-" + replica, sent, System.nanoTime()));
        }
    }

    private void remember(JsonNode node, long now) {
        String name = node.path("node").asText();
        if (node.hasNonNull("problem")) {
            seen.put(name + " " + node.path("problem").asText(), now);
            seen.put(name + " any", now);
        }
        if (node.hasNonNull("quarantineMs")) {
            seen.put(name + " quarantined", now);
        }
    }

    @Override
    public void close() {
        closed = true;
        watching.forEach(CompletableFuture::join);
    }
}
