package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Release;
import io.quorumlock.session.SessionEndReason;
import io.quorumlock.session.SessionEvent;
import java.util.List;

/** Checks S4 for one lease's token: nothing is extended after its release, and nobody takes away what is claimed. */
final class OwnershipCheck {
    private static final long LONGEST_ROUND = Scale.NODE_TIMEOUT.multipliedBy(2).toNanos();

    private final List<Call> calls;
    private final Endings endings;
    private final boolean calm;
    private final List<Violation> violations;

    /** @param calm whether nothing went wrong in this history */
    OwnershipCheck(Endings endings, boolean calm, List<Violation> violations) {
        this.calls = endings.calls();
        this.endings = endings;
        this.calm = calm;
        this.violations = violations;
    }

    void check() {
        checkExtensions();
        for (Call call : calls) {
            Claim.of(call, endings).forEach(this::checkNotDenied);
        }
    }

    private void checkExtensions() {
        long released = releaseConfirmed();
        for (Call call : calls) {
            if (outcome(call) instanceof Extension.Extended && (!wasAskedFor(call) || call.invoked > released)) {
                found("extended without a lease: " + call);
            }
        }
    }

    private boolean wasAskedFor(Call extension) {
        return calls.stream().anyMatch(call -> call.kind.asksForLease() && call.invoked < extension.returned);
    }

    /** Finds when it was answered that the lease is gone; while an acquire may be under way, or comes after, it can come back. */
    private long releaseConfirmed() {
        return calls.stream()
                .filter(call -> outcome(call) instanceof Release.Released && !call.mayComeBack)
                .filter(release ->
                        calls.stream().noneMatch(call -> call.kind.asksForLease() && isAskedAfter(call, release)))
                .mapToLong(call -> call.returned)
                .min()
                .orElse(Call.NEVER);
    }

    private static boolean isAskedAfter(Call call, Call release) {
        return !call.hasReturned() || call.returned > release.invoked;
    }

    /** Only extensions are looked at: a node in quarantine gives no vote, but takes a release and may have forgotten the lease. */
    private void checkNotDenied(Claim claim) {
        for (Call call : calls) {
            boolean during = call.invoked >= claim.from() && call.returned < claim.until();
            if (during && outcome(call) instanceof Extension.Lost) {
                found("a valid lease was taken away:\n  " + claim.call() + "\n  " + call);
            }
            if (calm && during && outcome(call) instanceof Acquisition.Held) {
                violations.add(new Violation(
                        Promise.REPEATS, "a holder was refused its own lease:\n  " + claim.call() + "\n  " + call));
            }
            call.news.forEach(news -> checkNotDenied(claim, call, news));
        }
    }

    private void checkNotDenied(Claim claim, Call session, Call.News news) {
        long asked = news.decided() - LONGEST_ROUND;
        boolean lost = news.what() instanceof SessionEvent.Lost end && end.why() == SessionEndReason.LOST;
        if (lost && asked >= claim.from() && news.heard() < claim.until()) {
            found("a valid lease was taken away from a session:\n  " + claim.call() + "\n  " + session);
        }
    }

    private static Object outcome(Call call) {
        return call.outcome.orElse(null);
    }

    private void found(String what) {
        violations.add(new Violation(Promise.S4, what));
    }
}
