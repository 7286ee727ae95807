// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The check of S3: a fencing token that was answered before another one was requested is not larger, neither in the same
 * lease nor in another one, except of those that may hold the lock at the same time, and no two leases share a token.
 */
public final class FenceCheck {
    private final Consumer<Violation> found;

    public FenceCheck(Consumer<Violation> found) {
        this.found = found;
    }

    public void check(Collection<Call> calls) {
        List<Call> answers = calls.stream()
                .filter(call -> call.hasLease() && fence(call) > 0)
                .toList();
        Terms.byName(answers, Call::terms).values().forEach(same -> {
            ordered(same).forEach(this::checkOrder);
            checkUnique(same);
        });
    }

    /** Returns groups of answers whose tokens must be in order: without leases that may hold the lock at the same time. */
    private static List<List<Call>> ordered(List<Call> same) {
        List<Call> exclusive =
                same.stream().filter(call -> call.terms().kind().isExclusive()).toList();
        List<List<Call>> groups = new ArrayList<>();
        same.stream()
                .filter(call -> !call.terms().kind().isExclusive())
                .collect(Collectors.groupingBy(call -> call.terms().token()))
                .values()
                .forEach(shared -> groups.add(
                        Stream.concat(exclusive.stream(), shared.stream()).toList()));
        return groups.isEmpty() ? List.of(exclusive) : groups;
    }

    /** Compares each answer with the one that has the largest token of those answered before it was requested. */
    private void checkOrder(List<Call> answers) {
        List<Call> byAnswer = sorted(answers, Comparator.comparingLong(Call::answered));
        Call largest = null;
        int next = 0;
        for (Call later : sorted(answers, Comparator.comparingLong(Call::requested))) {
            while (byAnswer.get(next).answered() < later.requested()) {
                Call earlier = byAnswer.get(next++);
                largest = largest == null || fence(earlier) > fence(largest) ? earlier : largest;
            }
            if (largest != null && fence(later) < fence(largest)) {
                found("a later answer has a smaller fencing token", largest, later);
            }
        }
    }

    private void checkUnique(List<Call> answers) {
        Map<Long, Call> owners = new HashMap<>();
        for (Call answer : answers) {
            Call owner = owners.putIfAbsent(fence(answer), answer);
            if (owner != null && !mayBeEqual(owner.terms(), answer.terms())) {
                found("two leases share a fencing token", owner, answer);
            }
        }
    }

    /** Returns whether two answers may have the same token: of one lease, or of leases that may hold the lock together. */
    private static boolean mayBeEqual(Terms one, Terms other) {
        boolean together = !one.kind().isExclusive() && one.kind().equals(other.kind());
        return together || one.token().equals(other.token());
    }

    private static long fence(Call call) {
        return call.result().fence();
    }

    private static List<Call> sorted(List<Call> answers, Comparator<Call> order) {
        return answers.stream().sorted(order).toList();
    }

    private void found(String what, Call earlier, Call later) {
        found.accept(new Violation(Promise.S3, later.answered(), what + ":\n  " + earlier + "\n  " + later));
    }
}
