// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;

/** The result of one seed. */
record Run(long seed, List<Violation> violations, Evidence evidence, long fingerprint, List<String> story) {

    Run(long seed, World world, boolean logged) {
        this(
                seed,
                Checker.check(world.history),
                Evidence.of(world),
                logged ? world.history.fingerprint() : 0,
                world.story.lines());
    }

    boolean breaks(Promise promise) {
        return violations.stream().anyMatch(violation -> violation.promise() == promise);
    }
}
