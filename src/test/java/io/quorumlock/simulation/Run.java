// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Checker;
import io.quorumlock.history.History;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import java.util.stream.Stream;

/** The result of one seed. */
record Run(long seed, History history, List<Violation> violations, Evidence evidence, List<String> story) {

    static Run of(long seed, World world) {
        History history = world.history.history(world.masters.size(), world.calm);
        List<Violation> violations = Stream.concat(Checker.check(history).stream(), world.history.found().stream())
                .toList();
        return new Run(seed, history, violations, Evidence.of(world, history), world.story.lines());
    }

    boolean breaks(Promise promise) {
        return violations.stream().anyMatch(violation -> violation.promise() == promise);
    }
}
