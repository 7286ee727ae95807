// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A kind of call that a run must include. */
public enum CallKind {
    GRANT_AFTER_WAIT(call -> call.operation() == Operation.ACQUIRE && call.gotLease() && waits(call)),
    SESSION(call -> call.operation() == Operation.SESSION && call.gotLease()),
    SESSION_EXTENDED(call -> call.operation() == Operation.SESSION_EXTENSION),
    SESSION_LOST(call -> call.operation() == Operation.SESSION_END && call.outcome() == Outcome.LOST),
    KEPT(call -> call.operation() == Operation.RELEASE
            && call.outcome() == Outcome.DONE
            && call.terms().keep() > 0),
    FORCED_RELEASE(call -> call.operation() == Operation.BREAK && call.outcome() == Outcome.DONE),
    SEVERAL_LOCKS(call -> call.gotLease() && call.terms().areOfSeveral()),
    SEVERAL_LOCKS_EXTENDED(call -> call.operation() == Operation.EXTEND
            && call.hasLease()
            && call.terms().areOfSeveral()),
    /** At least one of several locks was held. */
    SEVERAL_LOCKS_REFUSED(call -> call.outcome() == Outcome.HELD && call.terms().areOfSeveral()),
    /** A holder got its own lease again while other clients waited for it. */
    REPLAY_BEHIND_WAITERS(call -> call.outcome() == Outcome.REPLAYED && waits(call)),
    LEFT_WHILE_WAITING(call -> call.operation() == Operation.ACQUIRE && hasLeft(call) && waits(call)),
    LEFT_ON_RELEASE(call -> call.operation() == Operation.RELEASE && hasLeft(call));

    private final Predicate<Call> test;

    CallKind(Predicate<Call> test) {
        this.test = test;
    }

    /** Counts the calls of each kind. */
    public static Map<CallKind, Long> count(List<Call> calls) {
        Map<String, List<Call>> waiting = calls.stream()
                .filter(call -> call.requestsLease() && waits(call))
                .collect(Collectors.groupingBy(call -> call.terms().resource()));
        return Arrays.stream(values())
                .collect(Collectors.toMap(
                        kind -> kind,
                        kind -> calls.stream()
                                .filter(kind.test)
                                .filter(call -> kind != REPLAY_BEHIND_WAITERS
                                        || isBehindOthers(
                                                call, waiting.get(call.terms().resource())))
                                .count(),
                        Long::sum,
                        () -> new EnumMap<>(CallKind.class)));
    }

    private static boolean isBehindOthers(Call replay, List<Call> waiting) {
        return waiting.stream()
                .filter(other -> other.replica() == replay.replica())
                .filter(other -> !other.terms().token().equals(replay.terms().token()))
                .anyMatch(other -> other.sent() < replay.sent() && other.answered() > replay.sent());
    }

    private static boolean waits(Call call) {
        return call.terms().longestWait() > 0;
    }

    private static boolean hasLeft(Call call) {
        return call.outcome() == Outcome.LEFT;
    }
}
