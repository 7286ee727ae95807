// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.core.loop.Drift;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A builder of histories of one replica. Times are in milliseconds, leases last one second. */
public final class Calls {
    public static final HistoryLimits LIMITS =
            new HistoryLimits(new Drift(0.01, Duration.ofMillis(2)), 0, Duration.ofMillis(600), 3, 5);

    private static final long MILLI = 1_000_000;
    private static final Duration TTL = Duration.ofSeconds(1);

    private final List<Call> list = new ArrayList<>();
    private List<String> names = List.of("orders/1");

    public List<Call> list() {
        return list;
    }

    /** Adds the following calls for these locks. */
    public Calls of(String... locks) {
        names = List.of(locks);
        return this;
    }

    public Calls acquired(String token, int sent, int answered, long fence) {
        long elapsed = answered - sent;
        return acquiredFor(token, sent, answered, fence, 988 - elapsed, elapsed);
    }

    Calls acquiredFor(String token, int sent, int answered, long fence, long validity, long elapsed) {
        CallResult result = lease(Outcome.DONE, fence, validity, elapsed, elapsed, 0);
        return add(Operation.ACQUIRE, terms(token), sent, answered, result);
    }

    Calls replayed(String token, int sent, int answered, long fence, int validity) {
        return add(Operation.ACQUIRE, terms(token), sent, answered, lease(Outcome.REPLAYED, fence, validity, 0, 0, 0));
    }

    /** @param extensions the number of extensions in the answer */
    Calls extended(String token, int sent, int answered, long fence, int extensions) {
        CallResult result = lease(Outcome.DONE, fence, 900, 0, 0, extensions);
        return add(Operation.EXTEND, terms(token), sent, answered, result);
    }

    public Calls extended(String token, int sent, int answered, long fence) {
        return extended(token, sent, answered, fence, 0);
    }

    public Calls released(String token, int sent, int answered) {
        return ended(token, Operation.RELEASE, sent, answered, Outcome.DONE);
    }

    /** Adds a release that keeps the lock for some milliseconds. */
    Calls releasedKeeping(String token, int sent, int answered, int keep) {
        Terms terms = terms(token).keeping(Duration.ofMillis(keep));
        return add(Operation.RELEASE, terms, sent, answered, CallResult.without(Outcome.DONE, ""));
    }

    /** Adds a call without a lease in its answer. */
    public Calls ended(String token, Operation operation, int sent, int answered, Outcome outcome) {
        return add(operation, terms(token), sent, answered, CallResult.without(outcome, ""));
    }

    /** Adds a grant after a wait of at most one second. */
    Calls waited(String token, int sent, int answered, long fence) {
        return add(Operation.ACQUIRE, terms(token).waiting(TTL), sent, answered, granted(sent, answered, fence));
    }

    /** Adds a refusal after a wait of at most one second. */
    public Calls heldAfterWait(String token, int sent, int answered) {
        return add(Operation.ACQUIRE, terms(token).waiting(TTL), sent, answered, CallResult.without(Outcome.HELD, ""));
    }

    Calls session(String token, int sent, int answered, long fence) {
        return add(Operation.SESSION, terms(token), sent, answered, granted(sent, answered, fence));
    }

    /** Adds an extension by a session, decided some time after the session was requested. */
    Calls sessionExtended(String token, int sent, int answered, long fence, int elapsed) {
        CallResult result = lease(Outcome.DONE, fence, 900, elapsed, 0, 0);
        return add(Operation.SESSION_EXTENSION, terms(token), sent, answered, result);
    }

    private static CallResult granted(int sent, int answered, long fence) {
        return lease(Outcome.DONE, fence, 900, answered - sent, 0, 0);
    }

    private static CallResult lease(
            Outcome outcome, long fence, long validity, long elapsed, long spent, int extensions) {
        return new CallResult(outcome, "", fence, validity * MILLI, elapsed * MILLI, spent * MILLI, extensions);
    }

    private Terms terms(String token) {
        return Terms.of("", token, TTL).of(names);
    }

    private Calls add(Operation operation, Terms terms, long sent, long answered, CallResult result) {
        long from = sent * MILLI;
        long until = answered * MILLI;
        Bounds bounds = Bounds.observed(operation, terms, from, until, result, LIMITS.longestCall());
        list.add(new Call("client-1", 1, 0, 0, operation, terms, from, until, result, bounds));
        return this;
    }
}
