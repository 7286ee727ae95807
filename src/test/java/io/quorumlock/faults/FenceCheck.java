package io.quorumlock.faults;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks S3: what was answered before another was asked for has the smaller fencing token, and no two leases share one. */
final class FenceCheck {
    private final List<Violation> violations;

    FenceCheck(List<Violation> violations) {
        this.violations = violations;
    }

    /** @param calls all of one resource */
    void check(List<Call> calls) {
        List<Call> fenced = calls.stream().filter(Call::hasLease).toList();
        checkOrder(fenced);
        Map<Long, Call> owners = new HashMap<>();
        for (Call call : fenced) {
            Call owner = owners.putIfAbsent(call.fence(), call);
            if (owner != null && !owner.lease().equals(call.lease())) {
                found("two leases share a fencing token", owner, call);
            }
        }
    }

    private void checkOrder(List<Call> fenced) {
        List<Call> asked = sorted(fenced, Comparator.comparingLong(Call::invoked));
        List<Call> answered = sorted(fenced, Comparator.comparingLong(Call::returned));
        Call largest = null;
        int next = 0;
        for (Call call : asked) {
            while (answered.get(next).returned() < call.invoked()) {
                Call earlier = answered.get(next++);
                largest = largest == null || earlier.fence() > largest.fence() ? earlier : largest;
            }
            boolean grows = largest == null || call.fence() > largest.fence();
            if (!grows && !call.lease().equals(largest.lease()) && call.isGrant()) {
                found("a fencing token that does not grow", largest, call);
            }
        }
    }

    private static List<Call> sorted(List<Call> calls, Comparator<Call> order) {
        return calls.stream().sorted(order).toList();
    }

    private void found(String what, Call earlier, Call later) {
        violations.add(new Violation(Promise.S3, later.returned(), what + ":\n  " + earlier + "\n  " + later));
    }
}
