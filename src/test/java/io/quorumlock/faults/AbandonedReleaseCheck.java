// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Bounds;
import io.quorumlock.history.Call;
import io.quorumlock.history.Claim;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Terms;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The check that a release is completed even if its client disconnected (L): other clients are not refused repeatedly
 * while the lease would still last. A replica without a majority, as its other answers show, completes the release when it
 * repeats the clean-up. Two kinds of releases are excluded. A killed or suspended replica may not have read the request.
 * While two masters hang, one key blocks the lock, and a late command of the acquire may have written it after the
 * release. The simulation does not need this check, because it sees the releases that reach the engine.
 */
final class AbandonedReleaseCheck {
    /** Two concurrent clients can both be refused, but there must not be refusals for a longer time. */
    private static final int MOST_REFUSALS = 2;

    private static final long AFTER = Setup.LONGEST_CALL.toNanos();
    /** The longest time between two attempts of a clean-up. */
    private static final long LONGEST_DELAY = Duration.ofSeconds(1).toNanos();

    private static final long LONGEST_LEASE = Setup.LONGEST_LEASE.toNanos();
    private static final long SPREAD = Duration.ofMillis(100).toNanos();

    private static final Set<Outcome> WITHOUT_MAJORITY =
            EnumSet.of(Outcome.NO_QUORUM, Outcome.UNCONFIRMED, Outcome.REJECTED);

    private final List<FaultRecord> faults;
    private final List<FaultRecord> suspensions;
    private final Consumer<Violation> found;

    AbandonedReleaseCheck(List<FaultRecord> faults, Consumer<Violation> found) {
        this.faults = faults;
        this.suspensions = faults.stream()
                .filter(fault -> fault.kind() == FaultKind.SUSPEND)
                .toList();
        this.found = found;
    }

    void check(List<Call> calls) {
        List<Call> sorted =
                calls.stream().sorted(Comparator.comparingLong(Call::sent)).toList();
        Terms.byName(sorted, Call::terms).values().forEach(calledFor -> checkResource(calledFor, sorted));
    }

    /** @param sorted all calls for one resource, part of all calls */
    private void checkResource(List<Call> sorted, List<Call> all) {
        for (Call call : sorted) {
            boolean abandoned = call.operation() == Operation.RELEASE && call.outcome() == Outcome.LEFT;
            if (abandoned && !isHindered(call)) {
                check(call, near(sorted, call.sent()), completed(call, near(all, call.sent())));
            }
        }
    }

    /** @param completed the time at which the release is completed at the latest */
    private void check(Call release, List<Call> calls, long completed) {
        List<Call> others =
                calls.stream().filter(call -> !isSameLease(call, release)).toList();
        long end = calls.stream()
                .filter(call -> isSameLease(call, release) && call.answered() < release.sent())
                .flatMap(call -> call.claim(Setup.LIMITS).stream())
                .mapToLong(Claim::until)
                .max()
                .orElse(0);
        if (faults.stream().anyMatch(fault -> fault.kind().isExclusive() && fault.overlaps(release.sent(), end))) {
            return;
        }
        List<Call> refusals = others.stream()
                .filter(AbandonedReleaseCheck::wasRefused)
                .filter(call -> call.sent() > completed && call.answered() < end)
                .filter(call -> others.stream().noneMatch(other -> mayHold(other, release.sent(), call.answered())))
                .toList();
        if (refusals.size() > MOST_REFUSALS && spread(refusals) > SPREAD) {
            Call last = refusals.get(refusals.size() - 1);
            String what = "a release was not completed; " + refusals.size() + " refusals since:\n  ";
            found.accept(new Violation(Promise.L, last.answered(), what + release + "\n  " + last));
        }
    }

    /** Returns whether this lock was held. A refusal of several may be because of another one. */
    private static boolean wasRefused(Call call) {
        return call.requestsLease()
                && !call.terms().areOfSeveral()
                && call.terms().longestWait() == 0
                && call.outcome() == Outcome.HELD;
    }

    private static boolean isSameLease(Call call, Call release) {
        return call.terms().token().equals(release.terms().token());
    }

    /**
     * Returns whether the other call can have held the lock. A lease answered before the release had ended by then,
     * because the released lease was valid. A member of a store that was suspended may execute an acquire when it
     * continues, long after the answer without a majority.
     */
    private boolean mayHold(Call other, long released, long refused) {
        boolean granted = other.hasLease() && other.answered() > released;
        boolean unknown = other.requestsLease()
                && other.bounds().grantsUntil() == Bounds.NEVER
                && latestGrant(other) + other.terms().ttl() > released;
        return (granted || unknown) && other.bounds().asked() < refused;
    }

    private long latestGrant(Call unknown) {
        return suspensions.stream()
                .filter(suspension -> suspension.overlaps(unknown.sent(), unknown.answered()))
                .mapToLong(FaultRecord::until)
                .reduce(unknown.answered(), Math::max);
    }

    private static long spread(List<Call> refusals) {
        return refusals.get(refusals.size() - 1).sent() - refusals.get(0).answered();
    }

    /**
     * Returns the time at which the replica has completed the release at the latest: soon, or when it repeats the clean-up
     * after the end of the time without a majority.
     */
    private static long completed(Call release, List<Call> calls) {
        long completed = release.sent() + AFTER;
        for (Call call : calls) {
            boolean later = call.replica() == release.replica() && call.answered() > release.sent();
            if (later && call.sent() < completed && isWithoutMajority(call)) {
                completed = Math.max(completed, call.answered() + LONGEST_DELAY + AFTER);
            }
        }
        return completed;
    }

    /** An acquire of several locks also gets this answer if they change too fast. */
    private static boolean isWithoutMajority(Call call) {
        return WITHOUT_MAJORITY.contains(call.outcome()) && !call.terms().areOfSeveral();
    }

    private boolean isHindered(Call release) {
        return faults.stream()
                .filter(fault -> fault.victim().equals("replica-" + release.replica()))
                .anyMatch(fault -> fault.overlaps(release.sent() - AFTER, release.sent() + AFTER));
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
            if (sorted.get(middle).sent() < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
