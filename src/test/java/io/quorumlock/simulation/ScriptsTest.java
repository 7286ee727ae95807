// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Comparison of whole histories with the production scripts and with their fakes. */
@Execution(ExecutionMode.CONCURRENT)
class ScriptsTest {
    private static final int SEEDS = 20;

    @Test
    void fakeAndScriptsProduceSameHistory() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long fake = Simulation.run(seed, Tampering.NONE, true).fingerprint();
            assertEquals(fake, Simulation.run(seed, Tampering.SCRIPTS, true).fingerprint(), "seed " + seed);
        }
    }
}
