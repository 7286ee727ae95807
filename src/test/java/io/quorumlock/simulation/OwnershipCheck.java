package io.quorumlock.simulation;

import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Release;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;

/** Checks S4 for one lease's token: nothing is extended after its release, and nobody takes away what is claimed. */
final class OwnershipCheck {
    private final List<Call> calls;
    private final Endings endings;
    private final List<Violation> violations;

    OwnershipCheck(Endings endings, List<Violation> violations) {
        this.calls = endings.calls();
        this.endings = endings;
        this.violations = violations;
    }

    void check() {
        checkExtensions();
        for (Call call : calls) {
            Claim.of(call, endings.of(call)).ifPresent(this::checkNotDenied);
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
                        .filter(call -> outcome(call) instanceof Release.Released && !call.mayComeBack)
                        .mapToLong(call -> call.returned)
                        .min()
                        .orElse(Call.NEVER);
    }

    /** Only extensions are looked at: a node in quarantine gives no vote, but takes a release and may have forgotten the lease. */
    private void checkNotDenied(Claim claim) {
        for (Call call : calls) {
            boolean during = call.invoked >= claim.from() && call.returned < claim.until();
            if (during && outcome(call) instanceof Extension.Lost) {
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
