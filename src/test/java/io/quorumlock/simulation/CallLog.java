// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.history.Call;
import io.quorumlock.history.History;
import io.quorumlock.history.HistoryLimits;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The calls of one run, and the violations detected in the cluster. */
final class CallLog {
    private final List<SimulatedCall> calls = new ArrayList<>();
    private final List<Call> events = new ArrayList<>();
    private final List<Violation> found = new ArrayList<>();
    private final Map<LeaseToken, Long> releases = new HashMap<>();

    SimulatedCall begin(int client, Operation operation, RequestTerms terms, long invoked) {
        SimulatedCall call = new SimulatedCall(calls.size(), client, operation, terms, invoked);
        calls.add(call);
        return call;
    }

    /** Records an event of a session. */
    void received(Call event) {
        events.add(event);
    }

    /** Records that the engine of a replica was asked to release the lease of a token. */
    void released(LeaseToken token, long when) {
        releases.put(token, when);
    }

    /** Returns when the engine was last asked to release the lease of a token; the smallest time if never. */
    long lastRelease(LeaseToken token) {
        return releases.getOrDefault(token, -1L);
    }

    List<SimulatedCall> all() {
        return calls;
    }

    /** Records a violation detected in the cluster itself. */
    void found(Promise promise, String what) {
        found.add(new Violation(promise, what));
    }

    List<Violation> found() {
        return found;
    }

    /** Returns the history of the run. */
    History history(int masters) {
        List<Call> recorded = new ArrayList<>();
        Set<Call> hindered = Collections.newSetFromMap(new IdentityHashMap<>());
        for (SimulatedCall call : calls) {
            Call made = call.recorded();
            recorded.add(made);
            if (call.hindered) {
                hindered.add(made);
            }
        }
        recorded.addAll(events);
        HistoryLimits limits =
                new HistoryLimits(Scale.DRIFT, Scale.RATE_ERROR, Scale.LONGEST_CALL, Scale.EXTENSIONS_MAX, masters);
        return new History(recorded, limits, hindered::contains);
    }
}
