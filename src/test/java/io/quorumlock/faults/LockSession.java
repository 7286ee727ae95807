// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.faults.Call.Result;
import io.quorumlock.faults.LockCaller.Outcome;
import java.io.IOException;
import java.util.Optional;

/** A session of a client. Its events are recorded as calls with the request time of the session. */
final class LockSession implements AutoCloseable {
    private final LockCaller caller;
    private final HttpLine line;
    private final Question asked;
    private Call last;

    LockSession(LockCaller caller, HttpLine line, Question question) {
        this.caller = caller;
        this.line = line;
        this.asked = question;
        this.last = caller.call(asked, line);
    }

    /** Returns the answer or the latest event. */
    Call last() {
        return last;
    }

    /** Waits for the next extension; empty after the session ended or its connection broke. */
    Optional<Call> next() {
        Question event = new Question(
                asked.replica(), Operation.EVENT, asked.wish().waiting(0).atLeast(0), 0, asked.invoked(), "");
        try {
            HttpLine.Event heard = line.next();
            last = caller.recordCall(event, line, outcome(heard), new HttpLine.Reply(200, withFence(heard.data())));
            return Optional.of(last).filter(call -> call.problem().isEmpty());
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    private static Outcome outcome(HttpLine.Event event) {
        boolean isHeld = event.data().path("validityMs").asLong() > 0;
        return new Outcome(
                isHeld ? Result.OK : Result.FAIL, event.data().path("reason").asText());
    }

    /** Adds the fencing token, which the last event of a session does not contain. */
    private ObjectNode withFence(JsonNode data) {
        ObjectNode whole = data.deepCopy();
        return data.has("fencingToken") ? whole : whole.put("fencingToken", last.fence());
    }

    /** Closes the connection. */
    @Override
    public void close() {
        line.close();
    }
}
