// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.history.Call;
import io.quorumlock.history.CallResult;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Terms;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A session of a client. Its events are recorded as calls with the request time of the session. */
final class LockSession implements AutoCloseable {
    private final RecordingClient caller;
    private final HttpLine line;
    private final LockRequest request;
    private Call last;

    LockSession(RecordingClient caller, HttpLine line, LockRequest request) {
        this.caller = caller;
        this.line = line;
        this.request = request;
        this.last = caller.call(request, line);
    }

    /** Returns the answer or the latest event. */
    Call last() {
        return last;
    }

    /** Waits for the next extension; empty after the session ended or its connection broke. */
    Optional<Call> next() {
        try {
            JsonNode data = line.next().data();
            String reason = data.path("reason").asText();
            Operation operation = reason.isEmpty() ? Operation.SESSION_EXTENSION : Operation.SESSION_END;
            Terms terms = request.terms().waiting(Duration.ZERO);
            LockRequest event = new LockRequest(request.replica(), operation, terms, request.sent());
            last = caller.record(event, line, result(data, reason));
            return Optional.of(last).filter(call -> call.operation() == Operation.SESSION_EXTENSION);
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    /** The last event of a session has no fencing token. */
    private CallResult result(JsonNode data, String reason) {
        if (data.path("validityMs").asLong() > 0) {
            long fence = data.path("fencingToken").asLong(last.result().fence());
            return RecordingClient.lease(Outcome.DONE, data, fence, true);
        }
        return CallResult.without(reason.equals("lost") ? Outcome.LOST : Outcome.ENDED, reason);
    }

    /** Closes the connection. */
    @Override
    public void close() {
        line.close();
    }
}
