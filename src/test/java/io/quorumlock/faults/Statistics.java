// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.CallKind;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The counts of a run.
 *
 * @param releases confirmed releases
 * @param contended acquires refused because of another holder
 * @param unavailable calls that too few masters answered
 * @param unknown calls with an unknown outcome
 * @param kinds calls of each kind
 * @param secondsStalled longest total stall of a process that was not suspended
 */
record Statistics(
        long seed,
        double minutes,
        long calls,
        long acquires,
        long grants,
        long replays,
        long extensions,
        long releases,
        long contended,
        long unavailable,
        long unknown,
        long disconnected,
        double secondsStalled,
        Map<CallKind, Long> kinds,
        Map<String, Integer> faults,
        Map<String, Long> observed) {

    static Statistics of(RecordedRun run) {
        List<Call> calls = run.calls();
        return new Statistics(
                run.header().map(RunHeader::seed).orElse(0L),
                run.header().map(RunHeader::minutes).orElse(0.0),
                calls.size(),
                count(calls, call -> call.operation() == Operation.ACQUIRE),
                count(calls, call -> call.gotLease() && call.outcome() == Outcome.DONE),
                count(calls, call -> call.outcome() == Outcome.REPLAYED),
                count(calls, call -> call.operation() == Operation.EXTEND && call.hasLease()),
                count(calls, call -> call.operation() == Operation.RELEASE && call.outcome() == Outcome.DONE),
                count(calls, call -> call.outcome() == Outcome.HELD),
                count(calls, Statistics::isUnavailable),
                count(calls, call -> call.outcome().isUnknown()),
                count(calls, call -> call.outcome() == Outcome.LEFT),
                stalled(run),
                CallKind.count(calls),
                faults(run),
                observed(run));
    }

    static boolean isUnavailable(Call call) {
        return call.outcome() == Outcome.NO_QUORUM || call.outcome() == Outcome.UNCONFIRMED;
    }

    private static long count(List<Call> calls, Predicate<Call> kind) {
        return calls.stream().filter(kind).count();
    }

    private static Map<String, Integer> faults(RecordedRun run) {
        Map<String, Integer> faults = new TreeMap<>();
        for (FaultRecord fault : run.faults()) {
            faults.merge(fault.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'), 1, Integer::sum);
        }
        return faults;
    }

    private static Map<String, Long> observed(RecordedRun run) {
        Map<String, Long> observed = new TreeMap<>();
        run.observations().forEach(seen -> observed.put(seen.what(), seen.value()));
        return observed;
    }

    private static double stalled(RecordedRun run) {
        return run.stalls().stream()
                        .filter(stall -> run.faults().stream()
                                .filter(fault -> fault.victim().equals(stall.process()))
                                .noneMatch(fault -> fault.overlaps(stall.from(), stall.until())))
                        .collect(Collectors.groupingBy(Stall::process))
                        .values()
                        .stream()
                        .mapToLong(stalls -> Stall.sum(stalls, 0, Long.MAX_VALUE))
                        .max()
                        .orElse(0)
                / 1e9;
    }
}
