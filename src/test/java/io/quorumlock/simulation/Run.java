package io.quorumlock.simulation;

import java.util.List;
import java.util.Map;

/** Is what came of one seed. */
record Run(
        long seed,
        List<Violation> violations,
        long calls,
        long grants,
        long contended,
        Map<Fault, Integer> faults,
        long fingerprint,
        List<String> story) {

    Run(long seed, World world, boolean told) {
        this(
                seed,
                Checker.check(world.history),
                world.history.calls().size(),
                Checker.granted(world.history),
                Checker.contended(world.history),
                world.faults.done(),
                told ? world.history.fingerprint() : 0,
                world.story.lines());
    }
}
