package io.quorumlock.simulation;

import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The check of S3: a lease answered before another one was requested has the smaller fencing token, and no two leases
 * share one.
 */
final class FenceCheck {
    private final History history;
    private final List<Violation> violations;

    private record Fenced(Call call, long fence) {}

    FenceCheck(History history, List<Violation> violations) {
        this.history = history;
        this.violations = violations;
    }

    void check() {
        Map<ResourceName, List<Fenced>> byResource = new HashMap<>();
        for (Call call : history.calls()) {
            Claim.lease(call).map(Lease::fence).ifPresent(fence -> byResource
                    .computeIfAbsent(call.resource, name -> new ArrayList<>())
                    .add(new Fenced(call, fence.number())));
        }
        byResource.values().forEach(this::checkOrder);
        byResource.values().forEach(this::checkUnique);
    }

    private void checkOrder(List<Fenced> fenced) {
        List<Fenced> asked = sorted(fenced, Comparator.comparingLong(one -> one.call().invoked));
        List<Fenced> answered = sorted(fenced, Comparator.comparingLong(one -> one.call().returned));
        Fenced largest = null;
        int next = 0;
        for (Fenced one : asked) {
            while (answered.get(next).call().returned < one.call().invoked) {
                Fenced earlier = answered.get(next++);
                largest = largest == null || earlier.fence() > largest.fence() ? earlier : largest;
            }
            if (largest != null && one.fence() < largest.fence()) {
                violations.add(new Violation(
                        Promise.S3,
                        "a later lease has a smaller fencing token:\n  " + largest.call() + "\n  " + one.call()));
            }
        }
    }

    private void checkUnique(List<Fenced> fenced) {
        Map<Long, LeaseToken> owners = new HashMap<>();
        for (Fenced one : fenced) {
            LeaseToken owner = owners.putIfAbsent(one.fence(), one.call().token);
            if (owner != null && !owner.equals(one.call().token)) {
                violations.add(new Violation(Promise.S3, "two leases share a fencing token: " + one.call()));
            }
        }
    }

    private static List<Fenced> sorted(List<Fenced> fenced, Comparator<Fenced> order) {
        return fenced.stream().sorted(order).toList();
    }
}
