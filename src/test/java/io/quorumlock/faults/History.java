// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The history of one run: all calls of all processes, the faults, and the observations at the end. */
final class History {
    static final String CALLS = "history.jsonl";
    static final String FAULTS = "faults.jsonl";

    private final List<Call> calls = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();
    private final List<Observation> observations = new ArrayList<>();
    private final List<InflictedFault> faults = new ArrayList<>();
    private Optional<RunHeader> header = Optional.empty();

    /** Reads a stored run. */
    static History read(Path folder) {
        History history = new History();
        HistoryFile.read(folder.resolve(CALLS), history::add);
        HistoryFile.read(folder.resolve(FAULTS), history::add);
        return history;
    }

    void add(HistoryLine line) {
        if (line instanceof Call call) {
            calls.add(call);
        } else if (line instanceof Stall stall) {
            stalls.add(stall);
        } else if (line instanceof Observation observation) {
            observations.add(observation);
        } else if (line instanceof InflictedFault fault) {
            faults.add(fault);
        } else if (line instanceof RunHeader run) {
            header = Optional.of(run);
        }
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

    List<InflictedFault> faults() {
        return faults;
    }
}
