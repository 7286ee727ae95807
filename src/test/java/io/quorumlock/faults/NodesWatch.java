package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Asks the replicas all the time how they see the masters, and remembers when each problem was last seen. */
final class NodesWatch implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(100);
    /** A replica serves its connections on several event loops, and the machine may stop one of them alone. */
    private static final int EYES = 4;

    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration SLOW = Duration.ofMillis(80);
    private static final String SILENT = "silent";
    private static final long NEVER = Long.MIN_VALUE;

    private final Map<String, Long> seen = new ConcurrentHashMap<>();
    private final Map<String, Long> upSince = new ConcurrentHashMap<>();
    private final Map<Integer, JsonNode> latest = new ConcurrentHashMap<>();
    private final Consumer<HistoryLine> history;
    private final List<CompletableFuture<Void>> watching = new ArrayList<>();
    private volatile boolean closed;

    /** @param history is told when a replica was slow to answer even this, which asks no master */
    NodesWatch(List<Replica> replicas, Consumer<HistoryLine> history) {
        this.history = history;
        for (int i = 1; i <= replicas.size(); i++) {
            int number = i;
            int port = replicas.get(i - 1).port();
            for (int eye = 0; eye < EYES; eye++) {
                watching.add(CompletableFuture.runAsync(
                        () -> watch(number, port), work -> new Thread(work, "watch").start()));
            }
        }
    }

    /** Returns whether any replica saw this problem with the master after that moment. */
    boolean sawSince(long moment, int master, String problem) {
        return seen.getOrDefault("node-" + master + " " + problem, NEVER) > moment;
    }

    /** Returns whether the replica did not answer at some time after that moment. */
    boolean wasSilentSince(long moment, int replica) {
        return seen.getOrDefault("replica-" + replica + " " + SILENT, NEVER) > moment;
    }

    /** Returns whether every replica that answers lets the master vote. */
    boolean isUp(int master) {
        return latest.values().stream()
                .allMatch(
                        nodes -> nodes.path("nodes").path(master - 1).path("up").asBoolean());
    }

    /** Returns whether some replica has let the master vote for all of that time, so that it checked its state meanwhile. */
    boolean wasUpFor(int master, Duration time) {
        long latestBegin = System.nanoTime() - time.toNanos();
        return upSince.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(" node-" + master))
                .anyMatch(entry -> entry.getValue() <= latestBegin);
    }

    boolean areAllUp() {
        return latest.size() == Setup.REPLICAS
                && latest.values().stream().allMatch(nodes -> nodes.path("up").asInt() == Setup.MASTERS);
    }

    private void watch(int replica, int port) {
        try (HttpLine line = new HttpLine(port, PATIENCE)) {
            while (!closed) {
                look(replica, line);
                Pause.of(PACE);
            }
        }
    }

    private void look(int replica, HttpLine line) {
        long asked = System.nanoTime();
        try {
            JsonNode nodes = line.send(HttpLine.Request.get("/nodes")).body();
            long now = System.nanoTime();
            latest.put(replica, nodes);
            nodes.path("nodes").forEach(node -> remember(node, now));
            nodes.path("nodes").forEach(node -> rememberUp("replica-" + replica, node, now));
        } catch (IOException silent) {
            latest.remove(replica);
            upSince.keySet().removeIf(key -> key.startsWith("replica-" + replica + " "));
            seen.put("replica-" + replica + " " + SILENT, System.nanoTime());
        }
        if (System.nanoTime() - asked > SLOW.toNanos()) {
            history.accept(new Stall("replica-" + replica, asked, System.nanoTime()));
        }
    }

    private void rememberUp(String replica, JsonNode node, long now) {
        String key = replica + " " + node.path("node").asText();
        if (node.path("up").asBoolean()) {
            upSince.putIfAbsent(key, now);
        } else {
            upSince.remove(key);
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
