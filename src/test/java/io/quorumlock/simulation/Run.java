// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Call;
import io.quorumlock.history.CallKind;
import io.quorumlock.history.Checker;
import io.quorumlock.history.History;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.simulation.Coverage.Measure;
import java.util.List;
import java.util.stream.Stream;

/** The result of one seed. */
record Run(
        long seed,
        Scenario scenario,
        History history,
        List<Violation> violations,
        Coverage coverage,
        List<String> log) {

    static Run of(long seed, Cluster cluster) {
        History history = cluster.calls.history(Math.max(1, cluster.masters.size()));
        List<Violation> violations = Stream.concat(Checker.check(history).stream(), cluster.calls.found().stream())
                .toList();
        return new Run(seed, cluster.scenario, history, violations, coverage(cluster, history), cluster.log.lines());
    }

    private static Coverage coverage(Cluster cluster, History history) {
        Coverage coverage = cluster.coverage;
        coverage.add(Measure.LOST_WITHOUT_FENCE, cluster.lostWithoutFence());
        CallKind.count(history.calls()).forEach(coverage::add);
        for (Call call : history.calls()) {
            coverage.count(Measure.CALLS);
            coverage.add(Measure.GRANTS, call.gotLease() ? 1 : 0);
            coverage.add(Measure.CONTENDED, call.outcome() == Outcome.HELD ? 1 : 0);
        }
        return coverage;
    }

    boolean breaks(Promise promise) {
        return violations.stream().anyMatch(violation -> violation.promise() == promise);
    }
}
