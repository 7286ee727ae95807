// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Call;
import io.quorumlock.history.History;
import io.quorumlock.history.Outcome;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts of events in one or many runs. A run without events proves nothing.
 *
 * @param grants leases granted
 * @param contended calls refused because of another holder
 * @param tooShort leases given up because of too little validity
 * @param lostWithoutFence lost updates of a resource that ignores fencing tokens
 * @param stepsSeen number of times a replica detected a clock step of a master
 * @param foundings number of masters admitted because all were new
 * @param uses number of times clients used each feature
 * @param restartsSeen number of times a replica detected the restart of a master
 */
record Evidence(
        long calls,
        long grants,
        long contended,
        long tooShort,
        long lostWithoutFence,
        long stepsSeen,
        long foundings,
        long restartsSeen,
        Map<Use, Integer> uses,
        Map<Fault, Integer> faults,
        Map<Disaster, Integer> disasters) {

    static final Evidence NONE = new Evidence(0, 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), Map.of());

    static Evidence of(World world, History history) {
        return new Evidence(
                history.calls().size(),
                history.calls().stream().filter(Call::gotLease).count(),
                count(history, Outcome.HELD),
                count(history, Outcome.TOO_SHORT),
                world.lostWithoutFence(),
                world.stepsSeen,
                world.foundings,
                world.restartsSeen,
                world.history.uses(),
                world.faults.done(),
                world.disasters());
    }

    private static long count(History history, Outcome outcome) {
        return history.calls().stream()
                .filter(call -> call.outcome() == outcome)
                .count();
    }

    Evidence plus(Evidence other) {
        return new Evidence(
                calls + other.calls,
                grants + other.grants,
                contended + other.contended,
                tooShort + other.tooShort,
                lostWithoutFence + other.lostWithoutFence,
                stepsSeen + other.stepsSeen,
                foundings + other.foundings,
                restartsSeen + other.restartsSeen,
                sum(Use.class, uses, other.uses),
                sum(Fault.class, faults, other.faults),
                sum(Disaster.class, disasters, other.disasters));
    }

    private static <K extends Enum<K>> Map<K, Integer> sum(Class<K> kind, Map<K, Integer> one, Map<K, Integer> other) {
        Map<K, Integer> sum = new EnumMap<>(kind);
        sum.putAll(one);
        other.forEach((key, times) -> sum.merge(key, times, Integer::sum));
        return sum;
    }
}
