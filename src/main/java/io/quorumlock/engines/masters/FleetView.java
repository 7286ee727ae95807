// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.engines.masters.RestartGuard.AdmissionResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the masters reported to this replica about the fleet (R2, R9): the longest quarantine of any replica, whether all
 * masters are new, and whether replicas with another list of masters use one of them.
 */
final class FleetView {
    private final int masters;
    private final Map<String, Duration> longest = new HashMap<>();
    private final Map<String, Runnable> waiting = new LinkedHashMap<>();
    private final Set<String> withOtherList = new HashSet<>();

    /** The quarantines of masters that had no marker, by alias. */
    private final Map<String, String> newMasters = new HashMap<>();
    /** The new masters that reported the same quarantine again, after the last change of the others. */
    private final Set<String> confirmed = new HashSet<>();

    /** The quarantines to end, because all masters were new, by alias. */
    private final Map<String, String> founded = new HashMap<>();

    private int round;

    FleetView(int masters) {
        this.masters = masters;
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

    /** Notes the end of a connection. The master may still be used by replicas with another list. */
    void disconnected(String alias) {
        noteNewMaster(alias, "", round);
    }

    /** Returns whether all masters are new at the moment, so that their quarantine ends soon. */
    boolean areAllNew() {
        return newMasters.size() == masters;
    }

    /**
     * Runs the latest task of each master after a majority of the masters was connected. Before that, this replica may not know
     * the longest quarantine, and a master that lost its data does not know it either.
     */
    void whenInformed(String alias, Runnable task) {
        if (isInformed()) {
            task.run();
        } else {
            waiting.put(alias, task);
        }
    }

    private boolean isInformed() {
        return longest.size() > masters / 2;
    }

    Duration longest() {
        return longest.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /** Returns the number that changes with each change of the new masters. */
    int round() {
        return round;
    }

    /** Returns the quarantine of this master that ends because all masters are new; empty if none. */
    String founded(String alias) {
        return founded.getOrDefault(alias, "");
    }

    /** Returns whether a master is used by replicas with another list of masters. Then no further master may begin to vote. */
    boolean isOtherListInUse() {
        return !withOtherList.isEmpty();
    }

    /**
     * Notes a decision of a master.
     *
     * @param asked the {@link #round()} in which the master was asked
     * @return whether the state of the fleet changed, so that all masters should be checked again now
     */
    boolean decided(String alias, AdmissionResult result, int asked) {
        if (result instanceof AdmissionResult.OtherList) {
            withOtherList.add(alias);
        }
        if (result instanceof AdmissionResult.Admitted admitted) {
            withOtherList.remove(alias);
            longest.put(alias, admitted.longest());
            return noteNewMaster(alias, admitted.newMaster(), asked);
        }
        return false;
    }

    /**
     * Finds out whether all masters were new at one moment. That moment is the last change of their quarantines: each master
     * reported its quarantine before and after it.
     */
    private boolean noteNewMaster(String alias, String quarantine, int asked) {
        String before = quarantine.isEmpty() ? newMasters.remove(alias) : newMasters.put(alias, quarantine);
        if (!quarantine.equals(before == null ? "" : before)) {
            founded.remove(alias);
            round++;
            confirmed.clear();
            return areAllNew();
        }
        if (!quarantine.isEmpty() && asked == round && confirmed.add(alias) && confirmed.size() == masters) {
            founded.putAll(newMasters);
            return true;
        }
        return false;
    }
}
