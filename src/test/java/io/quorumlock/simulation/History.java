package io.quorumlock.simulation;

import java.util.ArrayList;
import java.util.List;

/** Is what happened in one run: every call, and what was found at the end. */
final class History {
    private final List<Call> calls = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private int nodes = 1;
    private boolean complete;

    Call begin(int client, Call.Kind kind, Call.Wish wish, long invoked) {
        Call call = new Call(calls.size(), client, kind, wish, invoked);
        calls.add(call);
        return call;
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

    /** Says that nothing is missing: the world came to rest. */
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
