// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A checker of histories against the guarantees. */
public final class Checker {
    /** The largest error of durations that consist of several clock readings and products in whole nanoseconds. */
    private static final long ROUNDING = 5;
    /** The most attempts of an acquire of a semaphore. */
    private static final int SLOT_ATTEMPTS = 8;

    private final History history;
    private final HistoryLimits limits;
    private final List<Violation> violations = new ArrayList<>();

    private Checker(History history) {
        this.history = history;
        this.limits = history.limits();
    }

    /** Returns all violations. An empty history is always one. */
    public static List<Violation> check(History history) {
        Checker checker = new Checker(history);
        checker.check();
        return checker.violations;
    }

    private void check() {
        List<Call> calls = history.calls();
        if (calls.isEmpty()) {
            violations.add(new Violation(Promise.INCONCLUSIVE, "no calls"));
        }
        ClaimEnds ends = new ClaimEnds(calls, limits);
        new ExclusionCheck(limits, violations::add).check(calls, ends);
        calls.forEach(this::checkValidity);
        new FenceCheck(violations::add).check(calls);
        calls.forEach(this::checkTime);
        OwnershipCheck ownership = new OwnershipCheck(ends, violations::add);
        CountCheck counts = new CountCheck(limits, violations::add);
        calls.stream()
                .collect(Collectors.groupingBy(call -> call.terms().token()))
                .values()
                .forEach(same -> {
                    ownership.check(same);
                    counts.check(same);
                });
    }

    /** S2: the reported validity is at most the true one, for clocks within the drift. */
    private void checkValidity(Call call) {
        if (!call.hasLease()) {
            return;
        }
        CallResult result = call.result();
        long most = limits.usable(call.terms().ttl()) - result.spent() + ROUNDING;
        double elapsed = result.elapsed() * (1 - limits.rateError());
        boolean tooLong = elapsed > call.answered() - call.sent() + ROUNDING;
        if (result.validity() <= 0 || result.validity() > most || tooLong) {
            found(Promise.S2, "more validity than remains: ", call);
        }
    }

    /** L: calls without faults are answered in time. */
    private void checkTime(Call call) {
        int attempts = call.requestsLease() && call.terms().kind().slots() > 0 ? SLOT_ATTEMPTS : 1;
        double wait = call.terms().longestWait() * (1 + limits.rateError());
        double longest = attempts * limits.longestCall().toNanos() + wait;
        boolean late = !call.operation().isEvent() && call.answered() - call.sent() > longest;
        boolean answered = call.outcome().isAnswer();
        boolean missing = !answered && call.outcome() != Outcome.LEFT;
        if ((answered && late || missing) && !history.replicaFaulty().test(call)) {
            found(Promise.L, "not answered in time: ", call);
        }
    }

    private void found(Promise promise, String what, Call call) {
        violations.add(new Violation(promise, call.answered(), what + call));
    }
}
