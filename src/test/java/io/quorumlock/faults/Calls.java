// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.faults.Call.Result;
import io.quorumlock.history.Promise;
import java.util.EnumSet;
import java.util.Set;

/** A builder of histories of one resource. Times are in milliseconds, leases last one second. */
final class Calls {
    private static final long MILLI = 1_000_000;
    private static final int TTL = 1_000;
    private static final Terms NO_TERMS = new Terms(0, 0);

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

    /** Adds a fault of replica 1, which receives all calls. */
    Calls hindered(FaultKind kind, int from, int until) {
        history.add(new InflictedFault(
                1, kind, "replica-1", "*", 0, from * MILLI, until * MILLI, until * MILLI, "seen", true));
        return this;
    }

    Calls stepped(int from, int well) {
        history.add(new InflictedFault(
                1, FaultKind.STEP_CLOCK, "master-1", "*", 1, from * MILLI, from * MILLI, well * MILLI, "seen", true));
        return this;
    }

    Calls stalled(int from, int until) {
        history.add(new Stall("client-1", from * MILLI, until * MILLI));
        return this;
    }

    Calls observed(Promise promise, long value, long most) {
        history.add(new Observation(promise, "leftovers", value, most));
        return this;
    }

    Calls run(long grantsWanted, FaultKind... planned) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        kinds.addAll(Set.of(planned));
        history.add(new RunHeader(42, 2, 0, grantsWanted, 0, 1, kinds));
        return this;
    }

    Calls runWithEach(long eachWanted) {
        history.add(new RunHeader(42, 2, 0, 1, eachWanted, 1, EnumSet.of(FaultKind.SUSPEND_REPLICA)));
        return this;
    }

    Calls vanished() {
        Answer none = new Answer(Result.UNKNOWN, 0, Call.VANISHED, 0, 0, 0);
        return add("gone", Operation.ACQUIRE, 0, 0, none);
    }

    /** Adds a grant after a wait of at most one second. */
    Calls waited(String lease, int invoked, int returned, long fence) {
        return add(lease, Operation.ACQUIRE, invoked, returned, new Terms(1_000, 0), granted(invoked, returned, fence));
    }

    /** Adds a refusal after a wait of at most one second. */
    Calls refusedAfterWait(String lease, int invoked, int returned) {
        Answer locked = new Answer(Result.FAIL, 423, "locked", 0, 0, 0);
        return add(lease, Operation.ACQUIRE, invoked, returned, new Terms(1_000, 0), locked);
    }

    /** Adds an extension with a minimum validity. A validity of 0 means that it could not be reached. */
    Calls extendedAtLeast(String lease, int invoked, int returned, long least, long validity) {
        Answer answer = validity == 0
                ? new Answer(Result.FAIL, 404, "lease-not-found", 0, 0, 0)
                : new Answer(Result.OK, 200, "", 1, validity, 0);
        return add(lease, Operation.EXTEND, invoked, returned, new Terms(0, least), answer);
    }

    /** Adds a release that the service rejected. */
    Calls releaseRejected(String lease, int invoked, int returned, String problem) {
        Answer refused = new Answer(Result.UNKNOWN, 503, problem, 0, 0, 0);
        return add(lease, Operation.RELEASE, invoked, returned, refused);
    }

    /** Adds a release of a client that disconnected. */
    Calls releaseAbandoned(String lease, int invoked, int returned) {
        Answer none = new Answer(Result.UNKNOWN, 0, Call.VANISHED, 0, 0, 0);
        return add(lease, Operation.RELEASE, invoked, returned, none);
    }

    Calls forced(int invoked, int returned, int status) {
        Result result = status == 204 ? Result.OK : Result.FAIL;
        return add("forced", Operation.BREAK, invoked, returned, NO_TERMS, new Answer(result, status, "", 0, 0, 0));
    }

    Calls session(String lease, int invoked, int returned, long fence) {
        return add(lease, Operation.SESSION, invoked, returned, NO_TERMS, granted(invoked, returned, fence));
    }

    /** Adds an extension event of a session, decided some time after the session was requested. */
    Calls sessionExtended(String lease, int invoked, int returned, long fence, int elapsed) {
        Answer extended = new Answer(Result.OK, 200, "", fence, 900, elapsed);
        return add(lease, Operation.EVENT, invoked, returned, NO_TERMS, extended);
    }

    Calls sessionLost(String lease, int invoked, int returned) {
        Answer sessionLost = new Answer(Result.FAIL, 200, Call.LOST, 0, 0, 0);
        return add(lease, Operation.EVENT, invoked, returned, NO_TERMS, sessionLost);
    }

    private record Terms(long waitMs, long minValidityMs) {}

    private record Answer(Result result, int status, String problem, long fence, long validityMs, long elapsedMs) {
        Answer(Result result, int status, long fence, long validityMs, long elapsedMs) {
            this(result, status, "", fence, validityMs, elapsedMs);
        }
    }

    private static Answer granted(int invoked, int returned, long fence) {
        return new Answer(Result.OK, 201, fence, 900, returned - invoked);
    }

    private Calls add(String lease, Operation operation, int invoked, int returned, Answer answer) {
        return add(lease, operation, invoked, returned, NO_TERMS, answer);
    }

    private Calls add(String lease, Operation operation, int invoked, int returned, Terms terms, Answer answer) {
        history.add(call(lease, operation, invoked * MILLI, returned * MILLI, terms, answer));
        return this;
    }

    private static Call call(
            String lease, Operation operation, long invoked, long returned, Terms terms, Answer answer) {
        return new Call(
                "client-1",
                1,
                operation,
                "fault/1",
                lease,
                1,
                TTL,
                terms.waitMs(),
                terms.minValidityMs(),
                0,
                invoked,
                returned,
                answer.result(),
                answer.status(),
                answer.problem(),
                answer.fence(),
                answer.validityMs(),
                answer.elapsedMs());
    }
}
