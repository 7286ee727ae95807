package io.quorumlock.simulation;

import io.quorumlock.redis.ScriptStore;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.testing.FakeStore;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;
import java.util.List;

/** A change of what the engine is given, in the simulated masters and connections. */
interface Tampering {
    Tampering NONE = new Tampering() {};

    /** Masters whose locks are kept by the production scripts, not by their imitation. */
    Tampering SCRIPTS = new Tampering() {
        @Override
        public LockStore store(MonotonicClock clock, int counters) {
            return new ScriptStore(clock, Scale.EXTENSIONS_MAX, counters);
        }
    };

    default List<? extends LockNode> nodes(int replica, List<? extends LockNode> wires) {
        return wires;
    }

    /** Makes what keeps the locks of one master. */
    default LockStore store(MonotonicClock clock, int counters) {
        return new FakeStore(clock, Scale.EXTENSIONS_MAX, counters);
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
