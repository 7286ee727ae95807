// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.ExclusionCheck;
import io.quorumlock.history.FenceCheck;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.testing.SessionEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A checker of histories against the guarantees. */
final class Checker {
    /** The largest error of durations that consist of several clock readings and products in whole nanoseconds. */
    private static final long ROUNDING = 5;

    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<LeaseToken, Endings> byToken = new HashMap<>();

    private Checker(History history) {
        this.history = history;
    }

    /** Returns all violations. An empty or truncated history is always a violation. */
    static List<Violation> check(History history) {
        Checker checker = new Checker(history);
        checker.check();
        return checker.violations;
    }

    private void check() {
        if (!history.isComplete() || history.calls().isEmpty()) {
            found(Promise.INCONCLUSIVE, history.calls().size() + " calls, complete: " + history.isComplete());
        }
        violations.addAll(history.found());
        List<Call> forced =
                history.calls().stream().filter(call -> call.kind == Kind.FORCE).toList();
        for (Call call : history.calls()) {
            byToken.computeIfAbsent(call.token, token -> new Endings(new ArrayList<>(), forced))
                    .calls()
                    .add(call);
        }
        new ExclusionCheck(violations::add)
                .check(history.calls().stream()
                        .flatMap(call -> CallClaims.of(call, byToken.get(call.token)).stream())
                        .toList());
        new FenceCheck(violations::add)
                .check(history.calls().stream().flatMap(Checker::fenced).toList());
        history.calls().forEach(this::checkValidity);
        history.calls().forEach(this::checkTime);
        byToken.values().forEach(endings -> new OwnershipCheck(endings, history.isCalm(), violations).check());
        byToken.values().forEach(endings -> checkExtensions(endings.calls()));
        byToken.values().forEach(endings -> new OnceCheck(endings.calls(), violations).check());
    }

    private static Stream<FenceCheck.Fenced> fenced(Call call) {
        return call
                .lease()
                .map(lease -> new FenceCheck.Fenced(
                        call,
                        call.resource,
                        call.token,
                        call.invoked,
                        call.returned,
                        lease.fence().number()))
                .stream();
    }

    /**
     * S2: the reported validity is at most the true one, for clocks within the drift, and at least the required one.
     */
    private void checkValidity(Call call) {
        call.lease().ifPresent(lease -> {
            long waited = (long) (lease.waited().toNanos() / (1 - Scale.DRIFT.factor()) / (1 - Scale.RATE_ERROR));
            // A session begins its acquire in a later turn of the event loop.
            long elapsed = call.kind == Call.Kind.SESSION
                    ? lease.elapsed().toNanos()
                    : (long) ((call.decided - call.started - waited) * (1 - Scale.RATE_ERROR));
            long most = lease.ttl().minus(Scale.DRIFT.of(lease.ttl())).toNanos() - elapsed + ROUNDING;
            boolean tooLong = lease.validity().toNanos() > most && !call.suspended;
            if (tooLong || lease.validity().toNanos() <= 0) {
                found(Promise.S2, "more validity than remains: " + call);
            }
            if (lease.validity().compareTo(call.minValidity) < 0) {
                found(Promise.S2, "less validity than required: " + call);
            }
        });
    }

    /** L: calls without faults are answered in time. */
    private void checkTime(Call call) {
        long longest = Scale.LONGEST_CALL.toNanos() + (long) (call.patience.toNanos() * (1 + Scale.RATE_ERROR));
        boolean late = call.hasReturned() && call.returned - call.invoked > longest;
        boolean answered = call.hasReturned() || call.impatient;
        if (!call.hindered && (late || !answered)) {
            found(Promise.L, "not answered in time: " + call);
        }
    }

    /**
     * R13: each node counts on its own. With a different majority each time, slightly more extensions than the maximum
     * succeed.
     */
    private void checkExtensions(List<Call> calls) {
        long acquires = calls.stream().filter(call -> call.kind.requestsLease()).count();
        long extended = calls.stream()
                .filter(call -> call.outcome.orElse(null) instanceof Extension.Extended)
                .count();
        extended += calls.stream()
                .flatMap(call -> call.news.stream())
                .filter(news -> news.what() instanceof SessionEvent.Extended)
                .count();
        int most = Scale.EXTENSIONS_MAX * history.nodes() / (history.nodes() / 2 + 1);
        if (acquires == 1 && extended > most) {
            found(Promise.R13, extended + " extensions of " + calls.get(0));
        }
    }

    private void found(Promise promise, String what) {
        violations.add(new Violation(promise, what));
    }

    /** Counts the calls that met another holder. */
    static long contended(History history) {
        return history.calls().stream()
                .filter(call -> call.outcome.orElse(null) instanceof Acquisition.Held)
                .count();
    }

    static long tooShort(History history) {
        return history.calls().stream()
                .map(call -> call.outcome.orElse(null))
                .filter(outcome -> outcome instanceof Acquisition.TooShort || outcome instanceof Extension.TooShort)
                .count();
    }

    static long granted(History history) {
        return history.calls().stream()
                .filter(call -> call.outcome.orElse(null) instanceof Acquisition.Acquired)
                .count();
    }
}
