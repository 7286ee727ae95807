// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The check of S3: a token that was answered before another one was requested is not larger, neither in the same lease
 * nor in another one, and no two leases share a token.
 */
public final class FenceCheck {
    private final Consumer<Violation> found;

    /**
     * An answer with a fencing token.
     *
     * @param call the call with the answer
     * @param resource the name of the lock
     * @param lease what identifies the lease, usually its token
     * @param asked when the token was requested, in nanoseconds
     * @param answered when the answer arrived, in nanoseconds
     */
    public record Fenced(Object call, Object resource, Object lease, long asked, long answered, long fence) {}

    public FenceCheck(Consumer<Violation> found) {
        this.found = found;
    }

    public void check(Collection<Fenced> answers) {
        answers.stream()
                .collect(Collectors.groupingBy(Fenced::resource))
                .values()
                .forEach(same -> {
                    checkOrder(same);
                    checkUnique(same);
                });
    }

    /** Compares each answer with the one that has the largest token of those answered before it was requested. */
    private void checkOrder(List<Fenced> answers) {
        List<Fenced> byAnswer = sorted(answers, Comparator.comparingLong(Fenced::answered));
        Fenced largest = null;
        int next = 0;
        for (Fenced later : sorted(answers, Comparator.comparingLong(Fenced::asked))) {
            while (byAnswer.get(next).answered() < later.asked()) {
                Fenced earlier = byAnswer.get(next++);
                largest = largest == null || earlier.fence() > largest.fence() ? earlier : largest;
            }
            if (largest != null && later.fence() < largest.fence()) {
                found("a later answer has a smaller fencing token", largest, later);
            }
        }
    }

    private void checkUnique(List<Fenced> answers) {
        Map<Long, Fenced> owners = new HashMap<>();
        for (Fenced answer : answers) {
            Fenced owner = owners.putIfAbsent(answer.fence(), answer);
            if (owner != null && !owner.lease().equals(answer.lease())) {
                found("two leases share a fencing token", owner, answer);
            }
        }
    }

    private static List<Fenced> sorted(List<Fenced> answers, Comparator<Fenced> order) {
        return answers.stream().sorted(order).toList();
    }

    private void found(String what, Fenced earlier, Fenced later) {
        found.accept(
                new Violation(Promise.S3, later.answered(), what + ":\n  " + earlier.call() + "\n  " + later.call()));
    }
}
