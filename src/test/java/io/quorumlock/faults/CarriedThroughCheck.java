// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Claim;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The check that a release is completed even if its client disconnected (L): other clients are not refused repeatedly
 * while the lease would still last. Three kinds of releases are excluded. A killed or suspended replica may not have read
 * the request. A replica without a majority, as its other answers show, completes the release later. While two masters
 * hang, one key blocks the lock, and a late command of the acquire may have written it after the release.
 */
final class CarriedThroughCheck {
    /** Two concurrent clients can both be refused, but there must not be refusals for a longer time. */
    private static final int MOST_REFUSALS = 2;

    private static final long AFTER = TimeCheck.LONGEST.toNanos();
    private static final long LONGEST_LEASE = Setup.LONGEST_LEASE.toNanos();
    private static final long SPREAD = Duration.ofMillis(100).toNanos();

    private final List<InflictedFault> faults;
    private final List<Violation> violations;

    CarriedThroughCheck(List<InflictedFault> faults, List<Violation> violations) {
        this.faults = faults;
        this.violations = violations;
    }

    /** @param calls all calls for one resource */
    void check(List<Call> calls) {
        List<Call> sorted =
                calls.stream().sorted(Comparator.comparingLong(Call::invoked)).toList();
        for (Call call : sorted) {
            boolean abandoned = call.operation() == Operation.RELEASE && call.isHungUp();
            if (abandoned && !isHindered(call)) {
                List<Call> near = near(sorted, call.invoked());
                if (!isWithoutMajority(call, near)) {
                    check(call, near);
                }
            }
        }
    }

    private void check(Call release, List<Call> calls) {
        List<Call> others = calls.stream()
                .filter(call -> !call.lease().equals(release.lease()))
                .toList();
        long end = calls.stream()
                .filter(call -> call.lease().equals(release.lease()) && call.returned() < release.invoked())
                .flatMap(call -> Endings.whole(call).stream())
                .mapToLong(Claim::until)
                .max()
                .orElse(0);
        if (faults.stream().anyMatch(fault -> fault.kind().comesAlone() && overlaps(fault, release.invoked(), end))) {
            return;
        }
        List<Call> refusals = others.stream()
                .filter(call -> call.isRequestForLease() && call.waitMs() == 0 && call.status() == 423)
                .filter(call -> call.invoked() > release.invoked() + AFTER && call.returned() < end)
                .filter(call -> others.stream().noneMatch(other -> mayHold(other, release.invoked(), call.returned())))
                .toList();
        if (refusals.size() > MOST_REFUSALS && spread(refusals) > SPREAD) {
            Call last = refusals.get(refusals.size() - 1);
            violations.add(new Violation(
                    Promise.L,
                    last.returned(),
                    "a release was not completed; " + refusals.size() + " refusals since:\n  " + release + "\n  "
                            + last));
        }
    }

    /**
     * Returns whether the other call can have held the lock. A lease answered before the release had ended by then,
     * because the released lease was valid.
     */
    private static boolean mayHold(Call other, long released, long refused) {
        long end = other.returned() + TimeUnit.MILLISECONDS.toNanos(other.ttlMs());
        boolean granted = other.hasLease() && other.returned() > released;
        boolean unknown = other.isRequestForLease() && other.result() == Call.Result.UNKNOWN && end > released;
        return (granted || unknown) && other.begun() < refused;
    }

    private static long spread(List<Call> refusals) {
        return refusals.get(refusals.size() - 1).invoked() - refusals.get(0).returned();
    }

    /** Returns whether the replica of the release answered all calls for the same lock with 503 right after it. */
    private static boolean isWithoutMajority(Call release, List<Call> calls) {
        List<Call> next = calls.stream()
                .filter(call -> call.isAnswered() && call.replica() == release.replica())
                .filter(call -> call.invoked() > release.invoked() && call.invoked() < release.invoked() + AFTER)
                .toList();
        return !next.isEmpty() && next.stream().allMatch(call -> call.status() == 503);
    }

    private boolean isHindered(Call release) {
        return faults.stream()
                .filter(fault -> fault.victim().equals("replica-" + release.replica()))
                .anyMatch(fault -> overlaps(fault, release.invoked() - AFTER, release.invoked() + AFTER));
    }

    private static boolean overlaps(InflictedFault fault, long from, long until) {
        return fault.from() < until && fault.until() > from;
    }

    /** Returns the calls that can concern a lease of that time. */
    private static List<Call> near(List<Call> sorted, long moment) {
        return sorted.subList(firstFrom(sorted, moment - LONGEST_LEASE), firstFrom(sorted, moment + LONGEST_LEASE));
    }

    private static int firstFrom(List<Call> sorted, long moment) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).invoked() < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
