// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Claim;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Release;
import io.quorumlock.session.SessionClient.SessionEndReason;
import io.quorumlock.testing.SessionEvent;
import java.util.List;

/** The check of S4 for one token: a released lease is not extended, and a valid lease is not lost. */
final class OwnershipCheck {
    private final List<Call> calls;
    private final Endings endings;
    private final boolean calm;
    private final List<Violation> violations;

    /** @param calm whether there were no faults */
    OwnershipCheck(Endings endings, boolean calm, List<Violation> violations) {
        this.calls = endings.calls();
        this.endings = endings;
        this.calm = calm;
        this.violations = violations;
    }

    void check() {
        checkExtensions();
        for (Call call : calls) {
            CallClaims.of(call, endings).forEach(this::checkNotDenied);
        }
    }

    private void checkExtensions() {
        long released = releaseConfirmed();
        for (Call call : calls) {
            if (outcome(call) instanceof Extension.Extended && (!wasRequested(call) || call.invoked > released)) {
                found("extended without a lease: " + call);
            }
        }
    }

    private boolean wasRequested(Call extension) {
        return calls.stream().anyMatch(call -> call.kind.requestsLease() && call.invoked < extension.returned);
    }

    /** Returns when the end of the lease was confirmed. An acquire that is in flight or follows can restore it. */
    private long releaseConfirmed() {
        return calls.stream()
                .filter(call -> outcome(call) instanceof Release.Released && !call.mayComeBack)
                .filter(release ->
                        calls.stream().noneMatch(call -> call.kind.requestsLease() && isRequestedAfter(call, release)))
                .mapToLong(call -> call.returned)
                .min()
                .orElse(Call.NEVER);
    }

    private static boolean isRequestedAfter(Call call, Call release) {
        return !call.hasReturned() || call.returned > release.invoked;
    }

    /**
     * Checks only extensions. A node in quarantine does not vote, but accepts a release although it may have lost the
     * lease.
     */
    private void checkNotDenied(Claim<Call> claim) {
        for (Call call : calls) {
            boolean during = call.invoked >= claim.from() && call.returned < claim.until();
            if (during && outcome(call) instanceof Extension.Lost) {
                found("a valid lease was lost:\n  " + claim.call() + "\n  " + call);
            }
            if (calm && during && outcome(call) instanceof Acquisition.Held) {
                violations.add(new Violation(
                        Promise.REPEATS, "a holder was refused its own lease:\n  " + claim.call() + "\n  " + call));
            }
            call.news.forEach(news -> checkNotDenied(claim, call, news));
        }
    }

    private void checkNotDenied(Claim<Call> claim, Call session, Call.News news) {
        boolean lost = news.what() instanceof SessionEvent.Lost end && end.why() == SessionEndReason.LOST;
        if (lost && news.asked() >= claim.from() && news.heard() < claim.until()) {
            found("a session lost a valid lease:\n  " + claim.call() + "\n  " + session);
        }
    }

    private static Object outcome(Call call) {
        return call.outcome.orElse(null);
    }

    private void found(String what) {
        violations.add(new Violation(Promise.S4, what));
    }
}
