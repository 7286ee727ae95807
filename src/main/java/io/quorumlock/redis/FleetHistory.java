// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The histories of all nodes as this replica knows them: from each node itself, and from the ages stored on other nodes
 * (R9). A node cannot detect that its data was replaced by an older copy, but other nodes can.
 */
final class FleetHistory {
    /** Number of connections in a row after which the data of another node counts as a copy, not as a wrong address. */
    private static final int MISDIRECTED_MAX = 5;

    private final int nodes;
    private final RandomGenerator random;
    private final Map<String, String> idByAlias = new HashMap<>();
    private final Map<String, Long> ageById = new HashMap<>();
    private final Map<String, Duration> longestByAlias = new HashMap<>();
    private final Map<String, Integer> misdirectedByAlias = new HashMap<>();
    /** The ids of nodes before their servers were taken for copies, by alias. */
    private final Map<String, String> ownIdByCopy = new HashMap<>();

    /** The nodes whose servers were taken for copies and not admitted since. */
    private final Set<String> unadmittedCopies = new HashSet<>();

    private final Set<String> introduced = new HashSet<>();
    private final Map<String, Runnable> waiting = new LinkedHashMap<>();

    /**
     * The values that a node must confirm to prove that it kept its data.
     *
     * @param id empty if the node is not known yet
     * @param age the largest age that was ever seen; 0 if none
     * @param longest the longest quarantine that other nodes reported
     * @param newId the id for a node without one
     * @param others the ages of the other nodes, as {@code id=age id=age}
     */
    record Expectation(String id, long age, Duration longest, String newId, String others) {}

    FleetHistory(int nodes, RandomGenerator random) {
        this.nodes = nodes;
        this.random = random;
    }

    /**
     * Returns the other node to whose server a connection leads, for example because masters exchanged their addresses when
     * they restarted, and the old ones are still cached. After several such connections in a row the server may have a copy of
     * the other node's data: the node gets a new id, which the server does not have, and the result is empty.
     */
    Optional<String> misdirected(String alias, NodeHistory history) {
        if (isTakenForCopy(alias) && !history.id().equals(idByAlias.get(alias))) {
            idByAlias.put(alias, ownIdByCopy.remove(alias));
        }
        Optional<String> other = history.id().equals(idByAlias.getOrDefault(alias, history.id()))
                ? Optional.empty()
                : nodeWithId(alias, history.id()).filter(node -> !isTakenForCopy(node));
        if (other.isEmpty()) {
            misdirectedByAlias.remove(alias);
        } else if (misdirectedByAlias.merge(alias, 1, Integer::sum) > MISDIRECTED_MAX) {
            misdirectedByAlias.remove(alias);
            takeForCopy(alias);
            return Optional.empty();
        }
        return other;
    }

    private void takeForCopy(String alias) {
        String id = newId();
        String own = idByAlias.put(alias, id);
        ownIdByCopy.put(alias, own);
        unadmittedCopies.add(alias);
        // Its ages begin with that of the own data, even if the clock of its machine is behind.
        ageById.put(id, ageById.getOrDefault(own, 0L));
    }

    /** Returns whether the server of a node was taken for a copy of another node, and the node has not been elsewhere since. */
    boolean isTakenForCopy(String alias) {
        return ownIdByCopy.containsKey(alias);
    }

    private Optional<String> nodeWithId(String except, String id) {
        return idByAlias.entrySet().stream()
                .filter(entry ->
                        !entry.getKey().equals(except) && entry.getValue().equals(id))
                .map(Map.Entry::getKey)
                .findAny();
    }

    /** Notes the history that a node reported on connect. Its id is accepted unless another one is expected. */
    void introduce(String alias, NodeHistory history) {
        merge(alias, history);
        if (!history.isNew() && !idByAlias.containsKey(alias)) {
            List<String> duplicates = idByAlias.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(history.id()))
                    .map(Map.Entry::getKey)
                    .toList();
            idByAlias.put(alias, duplicates.isEmpty() ? history.id() : newId());
            // One node is a copy of the other, but it is unknown which one is. Both get a new id and a quarantine.
            duplicates.forEach(duplicate -> idByAlias.put(duplicate, newId()));
        }
        introduced.add(alias);
        if (isInformed()) {
            List<Runnable> all = List.copyOf(waiting.values());
            waiting.clear();
            all.forEach(Runnable::run);
        }
    }

    /**
     * Notes the history that a node reported at its admission, and its id, which another replica may have written. If that is
     * the id of another node here, the other node gets a new one, so that no two nodes share an id, and all replicas agree.
     */
    void admitted(String alias, NodeHistory history) {
        merge(alias, history);
        nodeWithId(alias, history.id()).ifPresent(other -> idByAlias.put(other, newId()));
        idByAlias.put(alias, history.id());
        ageById.merge(history.id(), history.age(), Math::max);
        if (isTakenForCopy(alias) && unadmittedCopies.remove(alias)) {
            // Data with the own id lack the votes from now on, unless their server runs at another address.
            ageById.merge(ownIdByCopy.get(alias), history.age(), Math::max);
        }
    }

    private void merge(String alias, NodeHistory history) {
        longestByAlias.put(alias, history.longest());
        history.others().forEach((id, age) -> ageById.merge(id, age, Math::max));
    }

    /**
     * Runs the latest task of each node after a majority of the nodes was introduced. Before that, this replica may not
     * know the largest age of a node.
     */
    void whenInformed(String alias, Runnable task) {
        if (isInformed()) {
            task.run();
        } else {
            waiting.put(alias, task);
        }
    }

    private boolean isInformed() {
        return introduced.size() > nodes / 2;
    }

    Expectation expect(String alias) {
        String id = idByAlias.getOrDefault(alias, "");
        Duration longest =
                longestByAlias.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        String others = idByAlias.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(alias) && ageById.containsKey(entry.getValue()))
                .map(entry -> entry.getValue() + "=" + ageById.get(entry.getValue()))
                .collect(Collectors.joining(" "));
        return new Expectation(id, ageById.getOrDefault(id, 0L), longest, newId(), others);
    }

    private String newId() {
        return Long.toHexString(random.nextLong());
    }

    /**
     * The history of a node according to its marker (R9).
     *
     * @param id the id of the node, kept over restarts that keep its data; empty without a marker
     * @param age grows with the heartbeats of all replicas; an age that is smaller than before proves older data
     * @param longest the longest quarantine of any replica that was connected recently
     * @param others the ages of other nodes by id, as replicas last reported them to this node
     */
    record NodeHistory(String id, long age, Duration longest, Map<String, Long> others) {

        boolean isNew() {
            return id.isEmpty();
        }

        /** Parses ages in the form {@code id=age id=age}. Ignores entries of another form. */
        static Map<String, Long> ages(String text) {
            Map<String, Long> ages = new HashMap<>();
            for (String word : text.split(" ")) {
                int sign = word.indexOf('=');
                if (sign > 0) {
                    ages.put(word.substring(0, sign), Long.parseLong(word.substring(sign + 1)));
                }
            }
            return ages;
        }
    }
}
