package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Compares whole histories over the production scripts with those over their imitation. */
class ScriptsTest {
    private static final int SEEDS = 100;

    @Test
    void fakeAndScriptsGiveTheSameHistory() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long fake = Simulation.run(seed, Tampering.NONE, true).fingerprint();
            assertEquals(fake, Simulation.run(seed, Tampering.SCRIPTS, true).fingerprint(), "seed " + seed);
        }
    }
}
