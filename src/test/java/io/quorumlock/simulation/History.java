// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.lock.LeaseToken;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The history of one run: all calls, and the violations detected in the world. */
final class History {
    private final List<Call> calls = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private int nodes = 1;
    private final Map<Use, Integer> uses = new EnumMap<>(Use.class);
    private final Map<LeaseToken, Long> releases = new HashMap<>();
    private final Map<LeaseToken, Long> shortages = new HashMap<>();
    private boolean complete;
    private boolean calm;

    Call begin(int client, Call.Kind kind, Call.Wish wish, long invoked) {
        Call call = new Call(calls.size(), client, kind, wish, invoked);
        calls.add(call);
        return call;
    }

    /** Records that the engine of a replica was asked to release the lease of a token. */
    void released(LeaseToken token, long when) {
        releases.put(token, when);
    }

    /** Records that the engine gave up a lease of the token, because too little validity was left. */
    void gaveUp(LeaseToken token, long when) {
        shortages.put(token, when);
    }

    /** Returns when the engine last gave up a lease of the token; the smallest time if never. */
    long lastShortage(LeaseToken token) {
        return shortages.getOrDefault(token, -1L);
    }

    /** Returns when the engine was last asked to release the lease of a token; the smallest time if never. */
    long lastRelease(LeaseToken token) {
        return releases.getOrDefault(token, -1L);
    }

    /** Counts the use of a feature. */
    void used(Use use) {
        uses.merge(use, 1, Integer::sum);
    }

    Map<Use, Integer> uses() {
        return uses;
    }

    /** Records that the world has no faults. */
    void calm() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    List<Call> calls() {
        return calls;
    }

    /** Records a violation detected in the world itself. */
    void found(Promise promise, String what) {
        found.add(new Violation(promise, what));
    }

    List<Violation> found() {
        return found;
    }

    /** Marks the history as complete. */
    void complete(int nodesConfigured) {
        nodes = nodesConfigured;
        complete = true;
    }

    boolean isComplete() {
        return complete;
    }

    int nodes() {
        return nodes;
    }

    /** Returns a hash of all calls and their outcomes. */
    long fingerprint() {
        long print = 17;
        for (Call call : calls) {
            print = print * 31 + call.toString().hashCode();
        }
        return print;
    }
}
