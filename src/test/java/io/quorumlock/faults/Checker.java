// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.ExclusionCheck;
import io.quorumlock.history.FenceCheck;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A checker of histories against the guarantees. */
final class Checker {
    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private final Endings endings;

    private Checker(History history) {
        this.history = history;
        this.endings = new Endings(history.calls());
    }

    /**
     * The findings of a check.
     *
     * @param outside leases lost while the wall clock of a master was stepped, until the master recovered. Redis
     * expires keys by this clock, so the master loses locks, and a lease may have no spare vote. All other guarantees
     * hold
     */
    record Findings(List<Violation> broken, List<Violation> outside) {}

    static Findings check(History history) {
        Checker checker = new Checker(history);
        checker.check();
        checker.violations.sort(Comparator.comparingLong(Violation::at));
        Map<Boolean, List<Violation>> outside = checker.violations.stream()
                .collect(Collectors.partitioningBy(violation -> isOutsideTheModel(history, violation)));
        return new Findings(outside.get(false), outside.get(true));
    }

    private static boolean isOutsideTheModel(History history, Violation violation) {
        return violation.what().startsWith(OwnershipCheck.LEASE_LOST)
                && history.faults().stream()
                        .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK)
                        .anyMatch(fault -> fault.from() < violation.at() && violation.at() < fault.well());
    }

    private void check() {
        Map<String, List<Call>> byResource = history.calls().stream().collect(Collectors.groupingBy(Call::resource));
        new ExclusionCheck(violations::add)
                .check(history.calls().stream()
                        .flatMap(call -> endings.claim(call).stream())
                        .toList());
        history.calls().forEach(this::checkValidity);
        new FenceCheck(violations::add)
                .check(history.calls().stream()
                        .filter(Call::hasLease)
                        .map(Checker::fenced)
                        .toList());
        OwnershipCheck ownership = new OwnershipCheck(endings, history.faults(), violations);
        history.calls().stream()
                .collect(Collectors.groupingBy(Call::lease))
                .values()
                .forEach(ownership::check);
        new TimeCheck(history, violations).check();
        CarriedThroughCheck carriedThrough = new CarriedThroughCheck(history.faults(), violations);
        byResource.values().forEach(carriedThrough::check);
        history.observations().stream()
                .filter(observation -> !observation.isGood())
                .forEach(bad -> violations.add(
                        new Violation(bad.promise(), bad.what() + ": " + bad.value() + ", at most " + bad.most())));
    }

    /**
     * Returns the answer with a fencing token. When the token of an event of a session was requested is unknown, because
     * the session was requested earlier.
     */
    private static FenceCheck.Fenced fenced(Call call) {
        long asked = call.operation() == Operation.EVENT ? call.begun() : call.invoked();
        return new FenceCheck.Fenced(call, call.resource(), call.lease(), asked, call.returned(), call.fence());
    }

    /**
     * S2: validity and elapsed time together are at most the TTL less the drift. If the elapsed time includes more than
     * the last attempt, it is at most the duration of the call.
     */
    private void checkValidity(Call call) {
        if (!call.hasLease()) {
            return;
        }
        double most =
                call.ttlMs() - Setup.DRIFT.of(Duration.ofMillis(call.ttlMs())).toNanos() / 1e6;
        boolean waited = call.countsElapsedTime() && !call.isReplay() || call.waitMs() > 0;
        boolean tooMuch = call.validityMs() + (waited ? 0 : call.elapsedMs()) > most;
        boolean tooLong = TimeUnit.MILLISECONDS.toNanos(call.elapsedMs()) > call.returned() - call.invoked();
        if (call.validityMs() <= 0 || tooMuch || tooLong) {
            violations.add(new Violation(Promise.S2, call.returned(), "more validity than remains: " + call));
        }
        if (call.validityMs() < call.minValidityMs()) {
            violations.add(new Violation(Promise.S2, call.returned(), "less validity than required: " + call));
        }
    }
}
