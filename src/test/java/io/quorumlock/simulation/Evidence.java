package io.quorumlock.simulation;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counts what happened in one run or in many, so that a run in which nothing happened proves nothing.
 *
 * @param grants leases granted
 * @param contended calls that met another holder
 * @param tooShort leases that were given up because less was left than was asked for
 * @param lostWithoutFence updates that a resource lost which looks at no fencing token
 * @param stepsSeen times that a replica noticed that a master's clock was set
 * @param foundings masters that were admitted because all were new
 * @param uses how often clients used what the service has
 * @param restartsSeen times that a replica noticed that a master had come back as another process
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

    static Evidence of(World world) {
        return new Evidence(
                world.history.calls().size(),
                Checker.granted(world.history),
                Checker.contended(world.history),
                Checker.tooShort(world.history),
                world.lostWithoutFence(),
                world.stepsSeen,
                world.foundings,
                world.restartsSeen,
                world.history.uses(),
                world.faults.done(),
                world.disasters());
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
