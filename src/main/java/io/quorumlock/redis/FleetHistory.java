package io.quorumlock.redis;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * What this replica knows of the pasts of all nodes, from each node itself and from what the others were told (R9). A node whose
 * data was replaced by an older copy cannot tell; the others can.
 */
final class FleetHistory {
    private final int nodes;
    private final RandomGenerator random;
    private final Map<String, String> idByAlias = new HashMap<>();
    private final Map<String, Long> ageById = new HashMap<>();
    private final Map<String, Duration> longestByAlias = new HashMap<>();
    private final Set<String> heard = new HashSet<>();
    private final Map<String, Runnable> waiting = new LinkedHashMap<>();

    /**
     * What a node must confirm to be the one that was here before.
     *
     * @param id empty where the node is not known yet
     * @param age the largest that was ever seen; 0 where none was
     * @param longest the longest quarantine that other nodes told of
     * @param newId for a node without an id
     * @param others the ages of the other nodes, written as {@code id=age id=age}
     */
    record Expectation(String id, long age, Duration longest, String newId, String others) {}

    FleetHistory(int nodes, RandomGenerator random) {
        this.nodes = nodes;
        this.random = random;
    }

    /** Notes what a node told before it was asked for anything. Its id is believed unless another one is expected. */
    void introduce(String alias, NodeHistory past) {
        note(alias, past);
        if (!past.isNew() && !idByAlias.containsKey(alias)) {
            List<String> namesakes = idByAlias.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(past.id()))
                    .map(Map.Entry::getKey)
                    .toList();
            idByAlias.put(alias, namesakes.isEmpty() ? past.id() : mint());
            // One of them is a copy of the other, and nothing tells which: both get a new id, which costs each a
            // quarantine.
            namesakes.forEach(namesake -> idByAlias.put(namesake, mint()));
        }
        heard.add(alias);
        if (isInformed()) {
            List<Runnable> all = List.copyOf(waiting.values());
            waiting.clear();
            all.forEach(Runnable::run);
        }
    }

    /** Notes what a node told when it was admitted; its id holds from now on. */
    void admitted(String alias, NodeHistory past) {
        note(alias, past);
        idByAlias.put(alias, past.id());
        ageById.merge(past.id(), past.age(), Math::max);
    }

    private void note(String alias, NodeHistory past) {
        longestByAlias.put(alias, past.longest());
        past.others().forEach((id, age) -> ageById.merge(id, age, Math::max));
    }

    /** Runs the latest task of each node once a majority was heard: before that, nobody need remember what a node forgot. */
    void whenInformed(String alias, Runnable task) {
        if (isInformed()) {
            task.run();
        } else {
            waiting.put(alias, task);
        }
    }

    private boolean isInformed() {
        return heard.size() > nodes / 2;
    }

    Expectation expect(String alias) {
        String id = idByAlias.getOrDefault(alias, "");
        Duration longest =
                longestByAlias.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        String others = idByAlias.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(alias) && ageById.containsKey(entry.getValue()))
                .map(entry -> entry.getValue() + "=" + ageById.get(entry.getValue()))
                .collect(Collectors.joining(" "));
        return new Expectation(id, ageById.getOrDefault(id, 0L), longest, mint(), others);
    }

    private String mint() {
        return Long.toHexString(random.nextLong());
    }
}
