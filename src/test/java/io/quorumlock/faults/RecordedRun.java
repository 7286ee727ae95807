// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.Checker;
import io.quorumlock.history.History;
import io.quorumlock.history.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The record of one run: all calls of all processes, the faults, and the observations at the end. */
final class RecordedRun {
    static final String CALLS = "history.jsonl";
    static final String FAULTS = "faults.jsonl";

    private final List<Call> calls = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();
    private final List<Observation> observations = new ArrayList<>();
    private final List<FaultRecord> faults = new ArrayList<>();
    private Optional<RunHeader> header = Optional.empty();

    /** Reads a stored run. */
    static RecordedRun read(Path folder) {
        RecordedRun run = new RecordedRun();
        HistoryFile.read(folder.resolve(CALLS), run::add);
        HistoryFile.read(folder.resolve(FAULTS), run::add);
        return run;
    }

    void add(HistoryLine line) {
        if (line instanceof HistoryLine.Called called) {
            calls.add(called.call());
        } else if (line instanceof Stall stall) {
            stalls.add(stall);
        } else if (line instanceof Observation observation) {
            observations.add(observation);
        } else if (line instanceof FaultRecord fault) {
            faults.add(fault);
        } else if (line instanceof RunHeader run) {
            header = Optional.of(run);
        }
    }

    /** Returns all violations, in order of their time. */
    List<Violation> violations() {
        RecordedFaults recorded = new RecordedFaults(faults);
        List<Violation> violations =
                new ArrayList<>(Checker.check(new History(calls, Setup.LIMITS, recorded::affectReplica)));
        new AbandonedReleaseCheck(faults, stalls, violations::add).check(calls);
        observations.stream()
                .filter(observation -> !observation.isGood())
                .forEach(bad -> violations.add(
                        new Violation(bad.promise(), bad.what() + ": " + bad.value() + ", at most " + bad.most())));
        violations.sort(Comparator.comparingLong(Violation::at));
        return violations;
    }

    Optional<RunHeader> header() {
        return header;
    }

    List<Call> calls() {
        return calls;
    }

    List<Stall> stalls() {
        return stalls;
    }

    List<Observation> observations() {
        return observations;
    }

    List<FaultRecord> faults() {
        return faults;
    }
}
