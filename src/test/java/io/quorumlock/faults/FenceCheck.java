package io.quorumlock.faults;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * The check of S3: a lease answered before another one was requested has the smaller fencing token, no two leases share
 * one, and that of one lease never becomes smaller.
 */
final class FenceCheck {
    private final List<Violation> violations;

    FenceCheck(List<Violation> violations) {
        this.violations = violations;
    }

    /** @param calls all calls for one resource */
    void check(List<Call> calls) {
        List<Call> fenced = calls.stream().filter(Call::hasLease).toList();
        compareInOrder(fenced, "a fencing token is not larger than the previous one", FenceCheck::isNotLarger);
        fenced.stream()
                .collect(Collectors.groupingBy(Call::lease))
                .values()
                .forEach(lease ->
                        compareInOrder(lease, "the fencing token of a lease became smaller", FenceCheck::isSmaller));
        Map<Long, Call> owners = new HashMap<>();
        for (Call call : fenced) {
            Call owner = owners.putIfAbsent(call.fence(), call);
            if (owner != null && !owner.lease().equals(call.lease())) {
                found("two leases share a fencing token", owner, call);
            }
        }
    }

    private static boolean isNotLarger(Call earlier, Call later) {
        return later.isGrant() && !later.lease().equals(earlier.lease()) && later.fence() <= earlier.fence();
    }

    private static boolean isSmaller(Call earlier, Call later) {
        return later.fence() < earlier.fence();
    }

    /** Compares each call with the one that has the largest token of those answered before it was requested. */
    private void compareInOrder(List<Call> fenced, String what, BiPredicate<Call, Call> isBroken) {
        List<Call> byRequest = sorted(fenced, Comparator.comparingLong(FenceCheck::requestedAt));
        List<Call> answered = sorted(fenced, Comparator.comparingLong(Call::returned));
        Call largest = null;
        int next = 0;
        for (Call call : byRequest) {
            while (answered.get(next).returned() < requestedAt(call)) {
                Call earlier = answered.get(next++);
                largest = largest == null || earlier.fence() > largest.fence() ? earlier : largest;
            }
            if (largest != null && isBroken.test(largest, call)) {
                found(what, largest, call);
            }
        }
    }

    /**
     * Returns the request time of a fencing token. For an event of a session it is unknown, because the session was
     * requested earlier.
     */
    private static long requestedAt(Call call) {
        return call.operation() == Operation.EVENT ? call.begun() : call.invoked();
    }

    private static List<Call> sorted(List<Call> calls, Comparator<Call> order) {
        return calls.stream().sorted(order).toList();
    }

    private void found(String what, Call earlier, Call later) {
        violations.add(new Violation(Promise.S3, later.returned(), what + ":\n  " + earlier + "\n  " + later));
    }
}
