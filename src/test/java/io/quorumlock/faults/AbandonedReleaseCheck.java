// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.core.lock.AcquireTerms;
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
import java.util.stream.Stream;

/**
 * The check that a release is completed even if its client disconnected (L): other clients are not refused repeatedly
 * while the lease would still last. Some releases are excluded. A killed or suspended replica may not have read the
 * request. A replica without a majority, as its other answers show, completes the release later. While two masters hang,
 * one key blocks the lock, and a late command of the acquire may have written it after the release. A suspended
 * process, or a replica that the machine did not run, may execute an acquire when it continues, long after its client left. A client
 * that waits keeps others out of the free lock, if it waits for several or others share it, also for a while after it has left. The
 * simulation does not need this check, because it sees the releases that reach the engine.
 */
final class AbandonedReleaseCheck {
    /** Two concurrent clients can both be refused, but there must not be refusals for a longer time. */
    private static final int MOST_REFUSALS = 2;

    private static final long AFTER = Setup.LONGEST_CALL.toNanos();
    private static final long LONGEST_LEASE = Setup.LONGEST_LEASE.toNanos();
    private static final long SPREAD = Duration.ofMillis(100).toNanos();
    private static final long RESERVATION = AcquireTerms.USUAL_RESERVATION.toNanos();

    private static final Set<Outcome> WITHOUT_MAJORITY = EnumSet.of(Outcome.NO_QUORUM, Outcome.UNCONFIRMED);

    private final List<FaultRecord> faults;
    private final List<Stall> pauses;
    private final Consumer<Violation> found;

    AbandonedReleaseCheck(List<FaultRecord> faults, List<Stall> stalls, Consumer<Violation> found) {
        this.faults = faults;
        this.pauses = Stream.concat(
                        faults.stream()
                                .filter(fault -> fault.kind() == FaultKind.SUSPEND)
                                .map(fault -> new Stall(fault.victim(), fault.from(), fault.until())),
                        stalls.stream().filter(stall -> stall.process().startsWith("replica-")))
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
                List<Call> near = near(sorted, call.sent());
                if (!isWithoutMajority(call, near(all, call.sent())) && !isBeforeLateAcquire(call, near)) {
                    check(call, near);
                }
            }
        }
    }

    private void check(Call release, List<Call> calls) {
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
                .filter(call -> call.sent() > release.sent() + AFTER && call.answered() < end)
                .filter(call -> others.stream()
                        .noneMatch(other -> mayHold(other, release.sent(), call.answered()) || keepsOut(other, call)))
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
     * because the released lease was valid.
     */
    private static boolean mayHold(Call other, long released, long refused) {
        long end = other.answered() + other.terms().ttl();
        boolean granted = other.hasLease() && other.answered() > released;
        boolean unknown = isUnknownAcquire(other) && end > released;
        return (granted || unknown) && other.bounds().asked() < refused;
    }

    private static boolean keepsOut(Call waiting, Call refused) {
        long wait = waiting.terms().longestWait();
        return waiting.requestsLease()
                && wait > 0
                && waiting.sent() < refused.answered()
                && waiting.answered() + Math.min(wait, RESERVATION) > refused.sent();
    }

    private static boolean isUnknownAcquire(Call call) {
        return call.requestsLease() && call.bounds().grantsUntil() == Bounds.NEVER;
    }

    private static long spread(List<Call> refusals) {
        return refusals.get(refusals.size() - 1).sent() - refusals.get(0).answered();
    }

    /** Returns whether the replica of the release gave an answer without a majority right after it, for any lock. */
    private static boolean isWithoutMajority(Call release, List<Call> all) {
        return all.stream()
                .filter(call -> call.replica() == release.replica())
                .filter(call -> call.answered() > release.sent() && call.sent() < release.sent() + AFTER)
                // Calls for several locks also get this answer if the locks change too fast.
                .anyMatch(call -> WITHOUT_MAJORITY.contains(call.outcome())
                        && !call.terms().areOfSeveral());
    }

    /** Returns whether an acquire, also of the same lease, was sent to a process that paused and continued later. */
    private boolean isBeforeLateAcquire(Call release, List<Call> calls) {
        return calls.stream()
                .filter(call -> isUnknownAcquire(call) && call.sent() < release.sent())
                .anyMatch(call -> pauses.stream()
                        .filter(pause -> pause.until() + AFTER > release.sent())
                        .anyMatch(pause -> pause.overlaps(call.sent(), call.answered() + AFTER)));
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
