package io.quorumlock.faults;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Checks S3: what was answered before another was asked for has the smaller fencing token, no two leases share one, and that of one
 * lease never shrinks.
 */
final class FenceCheck {
    private final List<Violation> violations;

    FenceCheck(List<Violation> violations) {
        this.violations = violations;
    }

    /** @param calls all of one resource */
    void check(List<Call> calls) {
        List<Call> fenced = calls.stream().filter(Call::hasLease).toList();
        compareInOrder(fenced, "a fencing token that does not grow", FenceCheck::doesNotGrow);
        fenced.stream()
                .collect(Collectors.groupingBy(Call::lease))
                .values()
                .forEach(lease -> compareInOrder(lease, "a fencing token that shrinks", FenceCheck::shrinks));
        Map<Long, Call> owners = new HashMap<>();
        for (Call call : fenced) {
            Call owner = owners.putIfAbsent(call.fence(), call);
            if (owner != null && !owner.lease().equals(call.lease())) {
                found("two leases share a fencing token", owner, call);
            }
        }
    }

    private static boolean doesNotGrow(Call earlier, Call later) {
        return later.isGrant() && !later.lease().equals(earlier.lease()) && later.fence() <= earlier.fence();
    }

    private static boolean shrinks(Call earlier, Call later) {
        return later.fence() < earlier.fence();
    }

    /** Compares each call with the one that has the largest token of those answered before it was asked for. */
    private void compareInOrder(List<Call> fenced, String what, BiPredicate<Call, Call> isBroken) {
        List<Call> asked = sorted(fenced, Comparator.comparingLong(FenceCheck::asked));
        List<Call> answered = sorted(fenced, Comparator.comparingLong(Call::returned));
        Call largest = null;
        int next = 0;
        for (Call call : asked) {
            while (answered.get(next).returned() < asked(call)) {
                Call earlier = answered.get(next++);
                largest = largest == null || earlier.fence() > largest.fence() ? earlier : largest;
            }
            if (largest != null && isBroken.test(largest, call)) {
                found(what, largest, call);
            }
        }
    }

    /** The request of a session says nothing about when a later extension was asked for. */
    private static long asked(Call call) {
        return call.operation() == Operation.EVENT ? call.begun() : call.invoked();
    }

    private static List<Call> sorted(List<Call> calls, Comparator<Call> order) {
        return calls.stream().sorted(order).toList();
    }

    private void found(String what, Call earlier, Call later) {
        violations.add(new Violation(Promise.S3, later.returned(), what + ":\n  " + earlier + "\n  " + later));
    }
}
