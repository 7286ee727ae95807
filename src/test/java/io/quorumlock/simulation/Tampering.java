// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.redis.GuardModel;
import io.quorumlock.redis.GuardScript;
import io.quorumlock.redis.GuardStore;
import io.quorumlock.redis.ScriptStore;
import io.quorumlock.testing.FakeStore;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;

/** A change of the simulated masters or of the model. */
interface Tampering {
    Tampering NONE = new Tampering() {};

    /** Uses the production scripts on the masters instead of their fakes. */
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

    /** Creates the locks of one master. */
    default LockStore store(MonotonicClock clock, int counters) {
        return new FakeStore(clock, Scale.EXTENSIONS_MAX, counters);
    }

    /** Creates the marker of one master. */
    default GuardStore guard(MonotonicClock clock) {
        return new GuardModel(clock);
    }

    /** Returns whether faults outside the model happen. */
    default boolean isBeyondTheModel() {
        return false;
    }
}
