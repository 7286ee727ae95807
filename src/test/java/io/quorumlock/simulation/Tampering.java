package io.quorumlock.simulation;

import io.quorumlock.lock.LockEngine;
import io.quorumlock.redlock.Drift;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.testing.FakeStore;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;
import java.util.List;

/** Changes, from outside, what the engine is given or what it gives: a rule is switched off without a switch in the engine. */
interface Tampering {
    Tampering NONE = new Tampering() {};

    default List<? extends LockNode> nodes(int replica, List<? extends LockNode> wires) {
        return wires.stream().map(this::node).toList();
    }

    default LockNode node(LockNode wire) {
        return wire;
    }

    default MonotonicClock clock(MonotonicClock clock) {
        return clock;
    }

    default Drift drift(Drift drift) {
        return drift;
    }

    default LockEngine engine(LockEngine engine) {
        return engine;
    }

    /** Makes what keeps the locks of one master. */
    default LockStore store(MonotonicClock clock, int counters) {
        return new FakeStore(clock, Scale.EXTENSIONS_MAX, counters);
    }

    default int cleanUpsMax(int most) {
        return most;
    }

    /** Says whether the connection sends again what was not answered before it broke. */
    default boolean resends() {
        return false;
    }

    /** Says whether things happen that the model rules out. */
    default boolean isBeyondTheModel() {
        return false;
    }

    default boolean guardsRestarts() {
        return true;
    }
}
