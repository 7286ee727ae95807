// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.redis.RestartGuard.AdmissionResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the nodes reported to this replica about the fleet (R2, R9): the longest quarantine of any replica, whether all
 * nodes are new, and whether replicas with another list of masters use one of them.
 */
final class FleetView {
    private final int nodes;
    private final Map<String, Duration> longest = new HashMap<>();
    private final Map<String, Runnable> waiting = new LinkedHashMap<>();
    private final Set<String> withOtherList = new HashSet<>();

    /** The quarantines of nodes that had no marker, by alias. */
    private final Map<String, String> newNodes = new HashMap<>();
    /** The new nodes that reported the same quarantine again, after the last change of the others. */
    private final Set<String> confirmed = new HashSet<>();

    /** The quarantines to end, because all nodes were new, by alias. */
    private final Map<String, String> founded = new HashMap<>();

    private int round;

    FleetView(int nodes) {
        this.nodes = nodes;
    }

    /** Notes a new connection. */
    void connected(String alias, Duration longestQuarantine) {
        longest.put(alias, longestQuarantine);
        if (isInformed()) {
            List<Runnable> all = List.copyOf(waiting.values());
            waiting.clear();
            all.forEach(Runnable::run);
        }
    }

    void disconnected(String alias) {
        withOtherList.remove(alias);
        noteNewNode(alias, "", round);
    }

    /** Returns whether all nodes are new at the moment, so that their quarantine ends soon. */
    boolean areAllNew() {
        return newNodes.size() == nodes;
    }

    /**
     * Runs the latest task of each node after a majority of the nodes was connected. Before that, this replica may not know
     * the longest quarantine, and a node that lost its data does not know it either.
     */
    void whenInformed(String alias, Runnable task) {
        if (isInformed()) {
            task.run();
        } else {
            waiting.put(alias, task);
        }
    }

    private boolean isInformed() {
        return longest.size() > nodes / 2;
    }

    Duration longest() {
        return longest.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /** Returns the number that changes with each change of the new nodes. */
    int round() {
        return round;
    }

    /** Returns the quarantine of this node that ends because all nodes are new; empty if none. */
    String founded(String alias) {
        return founded.getOrDefault(alias, "");
    }

    /** Returns whether a node is used by replicas with another list of masters. Then no further node may begin to vote. */
    boolean isOtherListInUse() {
        return !withOtherList.isEmpty();
    }

    /**
     * Notes a decision of a node.
     *
     * @param asked the {@link #round()} in which the node was asked
     * @return whether the state of the fleet changed, so that all nodes should be checked again now
     */
    boolean decided(String alias, AdmissionResult result, int asked) {
        if (result instanceof AdmissionResult.OtherList) {
            withOtherList.add(alias);
        }
        if (result instanceof AdmissionResult.Admitted admitted) {
            withOtherList.remove(alias);
            longest.put(alias, admitted.longest());
            return noteNewNode(alias, admitted.newNode(), asked);
        }
        return false;
    }

    /**
     * Finds out whether all nodes were new at one moment. That moment is the last change of their quarantines: each node
     * reported its quarantine before and after it.
     */
    private boolean noteNewNode(String alias, String quarantine, int asked) {
        String before = quarantine.isEmpty() ? newNodes.remove(alias) : newNodes.put(alias, quarantine);
        if (!quarantine.equals(before == null ? "" : before)) {
            founded.remove(alias);
            round++;
            confirmed.clear();
            return areAllNew();
        }
        if (!quarantine.isEmpty() && asked == round && confirmed.add(alias) && confirmed.size() == nodes) {
            founded.putAll(newNodes);
            return true;
        }
        return false;
    }
}
