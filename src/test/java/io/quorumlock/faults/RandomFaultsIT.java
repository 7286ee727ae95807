package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks masters, replicas and the connections between them at random while clients work. */
@Tag("nightly")
class RandomFaultsIT {

    @Test
    void keepsAllPromisesUnderRandomFaults() {
        RunOrder order = RunOrder.read(System::getProperty, new SplittableRandom().nextLong(1, 1_000_000));
        String again = "seed " + order.seed() + ", again with " + order.command();
        System.out.println("faults: " + again);
        Verdict verdict = run(order, again);
        System.out.println("faults: " + verdict.text() + "see " + order.folder().resolve("timeline.html"));
        assertTrue(verdict.violations().isEmpty(), () -> again + "\n" + verdict.text());
        assertTrue(verdict.figures().grants() > 0, "no grants");
        if (order.isLongEnoughToProve()) {
            assertEquals(List.of(), verdict.lacks(), () -> "inconclusive, too little of this was seen; " + again);
        }
    }

    private static Verdict run(RunOrder order, String again) {
        try {
            return new FaultRun(order).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("the run broke off; " + again, e);
        }
    }
}
