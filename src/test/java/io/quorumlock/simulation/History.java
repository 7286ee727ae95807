package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The history of one run: every call, and the violations that were seen in the world. */
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

    /** Notes that the engine of a replica was asked to release what the token holds. */
    void released(LeaseToken token, long when) {
        releases.put(token, when);
    }

    /** Notes that the engine gave up a lease of the token, because too little validity was left. */
    void gaveUp(LeaseToken token, long when) {
        shortages.put(token, when);
    }

    /** Returns when the engine last gave up a lease of the token; the beginning of time if never. */
    long lastShortage(LeaseToken token) {
        return shortages.getOrDefault(token, -1L);
    }

    /** Finds when the engine was last asked to release what the token holds; the beginning of time if never. */
    long lastRelease(LeaseToken token) {
        return releases.getOrDefault(token, -1L);
    }

    /** Counts a use of the service. */
    void used(Use use) {
        uses.merge(use, 1, Integer::sum);
    }

    Map<Use, Integer> uses() {
        return uses;
    }

    /** Notes that nothing went wrong. */
    void calm() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    List<Call> calls() {
        return calls;
    }

    /** Notes what was seen to be wrong in the world itself. */
    void found(Promise promise, String what) {
        found.add(new Violation(promise, what));
    }

    List<Violation> found() {
        return found;
    }

    /** Marks the history as complete: the world came to rest. */
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

    /** Makes a number that differs where anything differs. */
    long fingerprint() {
        long print = 17;
        for (Call call : calls) {
            print = print * 31 + call.toString().hashCode();
        }
        return print;
    }
}
