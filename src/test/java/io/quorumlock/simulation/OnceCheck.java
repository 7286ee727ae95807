// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.simulation.Call.Kind;
import java.util.List;

/** The check of R8 for one token: each request took effect at most once. */
final class OnceCheck {
    private final List<Call> calls;
    private final List<Violation> violations;

    OnceCheck(List<Call> calls, List<Violation> violations) {
        this.calls = calls;
        this.violations = violations;
    }

    void check() {
        for (Call call : calls) {
            call.lease().ifPresent(lease -> checkExtensions(call, lease));
            boolean replayed = call.outcome.orElse(null) instanceof Acquisition.Replayed;
            if (replayed && requests(Kind.ACQUIRE, call) + requests(Kind.SESSION, call) < 2) {
                found("requested once, answered as a replay: " + call);
            }
        }
    }

    private void checkExtensions(Call call, Lease lease) {
        boolean extendedByService = calls.stream().anyMatch(other -> other.kind == Kind.SESSION);
        long used = Scale.EXTENSIONS_MAX - lease.extensionsLeft();
        if (!extendedByService && used > requests(Kind.EXTEND, call)) {
            found("more extensions counted than requested: " + call);
        }
    }

    /** Counts the requests that can have affected the answer. */
    private long requests(Kind kind, Call answered) {
        return calls.stream()
                .filter(call -> call.kind == kind && call.invoked < answered.returned)
                .count();
    }

    private void found(String what) {
        violations.add(new Violation(Promise.R8, what));
    }
}
