package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.redis.ScriptStore;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;
import org.junit.jupiter.api.Test;

/** Runs whole histories over the production scripts. */
class ScriptsTest {
    private static final int SEEDS = 100;

    /** Masters whose locks are kept by the production scripts. */
    static final Tampering SCRIPTS = new Tampering() {
        @Override
        public LockStore store(MonotonicClock clock, int counters) {
            return new ScriptStore(clock, Scale.EXTENSIONS_MAX, counters);
        }
    };

    @Test
    void fakeAndScriptsGiveTheSameHistory() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long fake = Simulation.run(seed, Tampering.NONE, true).fingerprint();
            assertEquals(fake, Simulation.run(seed, SCRIPTS, true).fingerprint(), "seed " + seed);
        }
    }
}
