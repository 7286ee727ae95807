// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Proves;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Random faults of masters, replicas and the connections between them while clients work. */
@Isolated
@Tag("nightly")
@Proves({"S1", "C", "K", "N"})
class RandomFaultsIT {

    @Test
    void keepsAllGuaranteesUnderRandomFaults() {
        RunOptions order = RunOptions.read("RandomFaultsIT");
        check(order, () -> new Masters(new SteppedClocks(order.folder().resolve("clock"))));
    }

    /** @param begin starts the servers */
    static void check(RunOptions order, Supplier<Servers> begin) {
        String again = "seed " + order.seed() + ", repeat with " + order.command();
        System.out.println("faults: " + again);
        Verdict verdict = run(order, begin, again);
        System.out.println("faults: " + verdict.text() + "see " + order.folder().resolve("timeline.html"));
        assertTrue(verdict.violations().isEmpty(), () -> again + "\n" + verdict.text());
        assertTrue(verdict.statistics().grants() > 0, "no grants");
        if (order.isLongEnoughForEvidence()) {
            assertEquals(List.of(), verdict.missing(), () -> "inconclusive, this occurred too rarely; " + again);
        }
    }

    private static Verdict run(RunOptions order, Supplier<Servers> begin, String again) {
        try {
            return new FaultRun(order, begin).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("the run was aborted; " + again, e);
        }
    }
}
