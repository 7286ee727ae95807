// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Calls;
import io.quorumlock.history.Promise;
import java.util.EnumSet;
import java.util.Set;

/** A builder of recorded runs. Times are in milliseconds. */
final class RunBuilder {
    private static final long MILLI = 1_000_000;

    final Calls calls = new Calls();
    private final RecordedRun run = new RecordedRun();

    RunBuilder header(long grantsWanted, FaultKind... planned) {
        return header(grantsWanted, 0, planned);
    }

    RunBuilder header(long grantsWanted, long eachWanted, FaultKind... planned) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        kinds.addAll(Set.of(planned));
        run.add(new RunHeader(42, 2, 0, grantsWanted, eachWanted, 1, kinds));
        return this;
    }

    /** Adds a fault of replica 1, which receives all calls. */
    RunBuilder replicaFault(FaultKind kind, int from, int until) {
        return fault(kind, "replica-1", from, until, until);
    }

    RunBuilder stepped(int from, int recovered) {
        return fault(FaultKind.STEP_CLOCK, "master-1", from, from, recovered);
    }

    RunBuilder suspended(int from, int until) {
        return fault(FaultKind.SUSPEND, "master-1", from, until, until);
    }

    private RunBuilder fault(FaultKind kind, String victim, long from, long until, long recovered) {
        run.add(new FaultRecord(1, kind, victim, "*", 0, from * MILLI, until * MILLI, recovered * MILLI, "seen"));
        return this;
    }

    RunBuilder stalled(int from, int until) {
        return stalled("client-1", from, until);
    }

    RunBuilder stalled(String process, int from, int until) {
        run.add(new Stall(process, from * MILLI, until * MILLI));
        return this;
    }

    RunBuilder observed(Promise promise, long value, long most) {
        run.add(new Observation(promise, "leftovers", value, most));
        return this;
    }

    /** Returns the run with the calls so far. Each call is added once. */
    RecordedRun run() {
        calls.list().stream()
                .skip(run.calls().size())
                .map(HistoryLine.Called::new)
                .forEach(run::add);
        return run;
    }
}
