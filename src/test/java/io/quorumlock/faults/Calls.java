package io.quorumlock.faults;

import io.quorumlock.faults.Call.Result;
import java.util.EnumSet;
import java.util.Set;

/** Makes up histories, in milliseconds, of one resource and leases of a second. */
final class Calls {
    private static final long MILLI = 1_000_000;
    private static final int TTL = 1_000;

    final History history = new History();

    Calls acquired(String lease, int invoked, int returned, long fence) {
        long elapsed = returned - invoked;
        return add(
                lease, Operation.ACQUIRE, invoked, returned, new Answer(Result.OK, 201, fence, 988 - elapsed, elapsed));
    }

    Calls replayed(String lease, int invoked, int returned, long fence, int validity) {
        return add(lease, Operation.ACQUIRE, invoked, returned, new Answer(Result.OK, 200, fence, validity, 0));
    }

    Calls extended(String lease, int invoked, int returned, long fence) {
        return add(lease, Operation.EXTEND, invoked, returned, new Answer(Result.OK, 200, fence, 900, 0));
    }

    Calls released(String lease, int invoked, int returned) {
        return add(lease, Operation.RELEASE, invoked, returned, new Answer(Result.OK, 204, 0, 0, 0));
    }

    Calls refused(String lease, Operation operation, int invoked, int returned, int status) {
        return add(lease, operation, invoked, returned, new Answer(Result.FAIL, status, 0, 0, 0));
    }

    Calls unanswered(String lease, int invoked, int returned) {
        return add(lease, Operation.ACQUIRE, invoked, returned, new Answer(Result.UNKNOWN, 0, 0, 0, 0));
    }

    Calls valid(String lease, int validity, int elapsed) {
        return add(lease, Operation.ACQUIRE, 0, 5, new Answer(Result.OK, 201, 1, validity, elapsed));
    }

    /** Replica 1 is the one that every call is made to. */
    Calls hindered(FaultKind kind, int from, int until) {
        history.add(new InflictedFault(
                1, kind, "replica-1", "*", 0, from * MILLI, until * MILLI, until * MILLI, "it was seen", true));
        return this;
    }

    Calls stepped(int from, int well) {
        history.add(new InflictedFault(
                1,
                FaultKind.STEP_CLOCK,
                "master-1",
                "*",
                1,
                from * MILLI,
                from * MILLI,
                well * MILLI,
                "it was seen",
                true));
        return this;
    }

    Calls stalled(int from, int until) {
        return stalled("client-1", from, until);
    }

    Calls stalled(String process, int from, int until) {
        history.add(new Stall(process, from * MILLI, until * MILLI));
        return this;
    }

    Calls observed(Promise promise, long value, long most) {
        history.add(new Observation(promise, "what is left", value, most));
        return this;
    }

    Calls run(long grantsWanted, FaultKind... planned) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        kinds.addAll(Set.of(planned));
        history.add(new RunHeader(42, 2, 0, grantsWanted, 1, kinds));
        return this;
    }

    Calls vanished() {
        return add(new Answer(Result.UNKNOWN, 0, 0, 0, 0), Call.VANISHED);
    }

    private record Answer(Result result, int status, long fence, long validityMs, long elapsedMs) {}

    private Calls add(String lease, Operation operation, int invoked, int returned, Answer answer) {
        history.add(call(lease, operation, invoked * MILLI, returned * MILLI, answer, ""));
        return this;
    }

    private Calls add(Answer answer, String problem) {
        history.add(call("gone", Operation.ACQUIRE, 0, 1, answer, problem));
        return this;
    }

    private static Call call(
            String lease, Operation operation, long invoked, long returned, Answer answer, String problem) {
        return new Call(
                "client-1",
                1,
                operation,
                "fault/1",
                lease,
                1,
                TTL,
                0,
                invoked,
                returned,
                answer.result(),
                answer.status(),
                problem,
                answer.fence(),
                answer.validityMs(),
                answer.elapsedMs());
    }
}
