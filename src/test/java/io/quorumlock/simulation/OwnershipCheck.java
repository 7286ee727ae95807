package io.quorumlock.simulation;

import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Release;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;

/** Checks S4 for one lease's token: nothing is extended after its release, and nobody takes away what is claimed. */
final class OwnershipCheck {
    private final List<Call> calls;
    private final long firstRelease;
    private final List<Violation> violations;

    /** @param firstRelease when the holder first gave the lease up, whatever came of it */
    OwnershipCheck(List<Call> calls, long firstRelease, List<Violation> violations) {
        this.calls = calls;
        this.firstRelease = firstRelease;
        this.violations = violations;
    }

    void check() {
        checkExtensions();
        for (Call call : calls) {
            Claim.of(call, firstRelease).ifPresent(this::checkNotDenied);
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
        return calls.stream().anyMatch(call -> call.kind == Kind.ACQUIRE && call.invoked < extension.returned);
    }

    /** Finds when it was answered that the lease is gone; while an acquire may still be under way it can come back. */
    private long releaseConfirmed() {
        boolean mayComeBack = calls.stream().anyMatch(call -> call.kind == Kind.ACQUIRE && !call.hasReturned());
        return mayComeBack
                ? Call.NEVER
                : calls.stream()
                        .filter(call -> outcome(call) instanceof Release.Released)
                        .mapToLong(call -> call.returned)
                        .min()
                        .orElse(Call.NEVER);
    }

    private void checkNotDenied(Claim claim) {
        for (Call call : calls) {
            boolean denied = outcome(call) instanceof Extension.Lost || outcome(call) instanceof Release.NotHeld;
            boolean during = call.invoked >= claim.from() && call.returned < claim.until();
            boolean first = call.kind == Kind.EXTEND ? call.returned < firstRelease : call.invoked <= firstRelease;
            if (denied && during && first) {
                found("a valid lease was taken away:\n  " + claim.call() + "\n  " + call);
            }
        }
    }

    private static Object outcome(Call call) {
        return call.outcome.orElse(null);
    }

    private void found(String what) {
        violations.add(new Violation(Promise.S4, what));
    }
}
