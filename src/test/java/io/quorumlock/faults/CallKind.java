// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A kind of call that a run must include. */
enum CallKind {
    GRANT_AFTER_WAIT(call -> call.operation() == Operation.ACQUIRE && call.isGrant() && call.waitMs() > 0),
    GRANT_WITH_LEAST_VALIDITY(call -> call.hasLease() && call.minValidityMs() > 0),
    TOO_LITTLE_VALIDITY(call -> !call.hasLease() && call.minValidityMs() > 0 && call.validityMs() > 0),
    SESSION(call -> call.operation() == Operation.SESSION && call.isGrant()),
    SESSION_EXTENDED(call -> call.operation() == Operation.EVENT && call.hasLease()),
    SESSION_LOST(call -> call.operation() == Operation.EVENT && call.isDenied()),
    FORCED_RELEASE(call -> call.operation() == Operation.BREAK && call.status() == 204),
    /** A holder got its own lease again while other clients waited for it. */
    REPLAY_BEHIND_WAITERS(call -> call.isReplay() && call.waitMs() > 0),
    HANG_UP_WHILE_WAITING(call -> call.operation() == Operation.ACQUIRE && call.isHungUp() && call.waitMs() > 0),
    HANG_UP_ON_RELEASE(call -> call.operation() == Operation.RELEASE && call.isHungUp());

    private final Predicate<Call> test;

    CallKind(Predicate<Call> test) {
        this.test = test;
    }

    /** Counts the calls of each kind. */
    static Map<CallKind, Long> count(List<Call> calls) {
        Map<String, List<Call>> waiting = calls.stream()
                .filter(call -> call.isRequestForLease() && call.waitMs() > 0)
                .collect(Collectors.groupingBy(Call::resource));
        return Arrays.stream(values())
                .collect(Collectors.toMap(
                        kind -> kind,
                        kind -> calls.stream()
                                .filter(kind.test)
                                .filter(call -> kind != REPLAY_BEHIND_WAITERS
                                        || isBehindOthers(call, waiting.get(call.resource())))
                                .count(),
                        Long::sum,
                        () -> new EnumMap<>(CallKind.class)));
    }

    private static boolean isBehindOthers(Call replay, List<Call> waiting) {
        return waiting.stream()
                .filter(other ->
                        other.replica() == replay.replica() && !other.lease().equals(replay.lease()))
                .anyMatch(other -> other.invoked() < replay.invoked() && other.returned() > replay.invoked());
    }
}
