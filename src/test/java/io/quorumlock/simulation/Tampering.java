package io.quorumlock.simulation;

import io.quorumlock.redis.GuardModel;
import io.quorumlock.redis.GuardScript;
import io.quorumlock.redis.GuardStore;
import io.quorumlock.redis.ScriptStore;
import io.quorumlock.testing.FakeStore;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;

/** A change of what the engine is given, in the simulated masters and connections. */
interface Tampering {
    Tampering NONE = new Tampering() {};

    /** Masters whose locks are kept by the production scripts, not by their imitation. */
    Tampering SCRIPTS = new Tampering() {
        @Override
        public LockStore store(MonotonicClock clock, int counters) {
            return new ScriptStore(clock, Scale.EXTENSIONS_MAX, counters);
        }

        @Override
        public GuardStore guard(MonotonicClock clock) {
            return new GuardScript(clock);
        }
    };

    /** Makes what keeps the locks of one master. */
    default LockStore store(MonotonicClock clock, int counters) {
        return new FakeStore(clock, Scale.EXTENSIONS_MAX, counters);
    }

    /** Makes what keeps the marker of one master. */
    default GuardStore guard(MonotonicClock clock) {
        return new GuardModel(clock);
    }

    /** Returns whether things happen that the model rules out. */
    default boolean isBeyondTheModel() {
        return false;
    }
}
