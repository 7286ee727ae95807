// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.core.lock.LockKind;
import java.util.List;
import java.util.function.Consumer;

/** The check of R8 and R13 for one token: each request took effect at most once, and extensions are bounded. */
final class CountCheck {
    private final HistoryLimits limits;
    private final Consumer<Violation> found;

    CountCheck(HistoryLimits limits, Consumer<Violation> found) {
        this.limits = limits;
        this.found = found;
    }

    /** @param calls all calls with one token */
    void check(List<Call> calls) {
        boolean extendedByService = calls.stream().anyMatch(call -> call.operation() == Operation.SESSION);
        for (Call call : calls) {
            if (!extendedByService && call.result().extensions() > count(calls, Operation.EXTEND, call)) {
                found(Promise.R8, "more extensions counted than requested: " + call, call);
            }
            boolean once = count(calls, Operation.ACQUIRE, call) + count(calls, Operation.SESSION, call) < 2;
            // An acquire of a semaphore makes several attempts, and may find the value of its own one.
            boolean oneAttempt = call.terms().kind().type() != LockKind.Type.SLOTS;
            if (call.outcome() == Outcome.REPLAYED && once && oneAttempt) {
                found(Promise.R8, "requested once, answered as a replay: " + call, call);
            }
        }
        checkExtensions(calls);
    }

    /** Counts the requests that can have affected the answer. */
    private static long count(List<Call> calls, Operation operation, Call answered) {
        return calls.stream()
                .filter(call -> call.operation() == operation && call.sent() < answered.answered())
                .count();
    }

    /**
     * R13: each master counts on its own. With a different majority each time, slightly more extensions than the
     * maximum succeed.
     */
    private void checkExtensions(List<Call> calls) {
        long requests = calls.stream().filter(Call::requestsLease).count();
        List<Call> extended = calls.stream()
                .filter(call -> call.operation() == Operation.EXTEND || call.operation() == Operation.SESSION_EXTENSION)
                .filter(Call::hasLease)
                .toList();
        int most = limits.extensionsMax() * limits.masters() / (limits.masters() / 2 + 1);
        if (requests == 1 && extended.size() > most) {
            found(Promise.R13, extended.size() + " extensions of " + calls.get(0), extended.get(most));
        }
    }

    private void found(Promise promise, String what, Call call) {
        found.accept(new Violation(promise, call.answered(), what));
    }
}
