// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.history.Bounds;
import io.quorumlock.history.Call;
import io.quorumlock.history.CallResult;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Terms;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Calls to the replicas by one client, one at a time. Each is recorded in the history. */
final class RecordingClient implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(4);

    private final String process;
    private final List<Integer> ports;
    private final List<HttpLine> replicas;
    private final Consumer<HistoryLine> history;

    RecordingClient(String process, List<Integer> ports, Consumer<HistoryLine> history) {
        this.process = process;
        this.ports = ports;
        this.replicas = ports.stream().map(port -> new HttpLine(port, PATIENCE)).toList();
        this.history = history;
    }

    Call acquire(int replica, Terms terms) {
        return call(LockRequest.now(replica, Operation.ACQUIRE, terms));
    }

    Call extend(int replica, Terms terms) {
        return call(LockRequest.now(replica, Operation.EXTEND, terms));
    }

    Call release(int replica, Terms terms) {
        return call(LockRequest.now(replica, Operation.RELEASE, terms));
    }

    /** Breaks the current lease, whatever its token. */
    Call breakLock(int replica, Terms terms) {
        return call(LockRequest.now(replica, Operation.BREAK, terms));
    }

    /** Opens a session on a separate connection. */
    LockSession open(int replica, Terms terms) {
        HttpLine line = new HttpLine(ports.get(replica - 1), PATIENCE);
        return new LockSession(this, line, LockRequest.now(replica, Operation.SESSION, terms));
    }

    /** Sends the request and disconnects after a delay, without an answer. */
    Call abandon(LockRequest request, Duration after) {
        HttpLine line = replicas.get(request.replica() - 1);
        try {
            line.abandon(request.http(), after);
            return record(request, line, CallResult.without(Outcome.LEFT, ""));
        } catch (IOException e) {
            return record(request, line, noAnswer(e));
        }
    }

    private Call call(LockRequest request) {
        return call(request, replicas.get(request.replica() - 1));
    }

    Call call(LockRequest request, HttpLine line) {
        try {
            return record(request, line, result(request, line.send(request.http())));
        } catch (IOException e) {
            return record(request, line, noAnswer(e));
        }
    }

    Call record(LockRequest request, HttpLine line, CallResult result) {
        Terms terms = request.terms();
        long now = System.nanoTime();
        Bounds bounds = Bounds.observed(request.operation(), terms, request.sent(), now, result, Setup.LONGEST_CALL);
        Call call = new Call(
                process,
                request.replica(),
                line.connected(),
                0,
                request.operation(),
                terms,
                request.sent(),
                now,
                result,
                bounds);
        history.accept(new HistoryLine.Called(call));
        return call;
    }

    private static CallResult noAnswer(IOException e) {
        if (e instanceof ConnectException) {
            return CallResult.without(Outcome.REFUSED, "");
        }
        String detail = e instanceof SocketTimeoutException ? "time-out" : "broken: " + e.getMessage();
        return CallResult.without(Outcome.UNANSWERED, detail);
    }

    private static CallResult result(LockRequest request, HttpLine.Reply reply) {
        JsonNode body = reply.body();
        if (reply.status() >= 300) {
            String problem = body.path("type").asText().replace("/problems/", "");
            return CallResult.without(outcome(problem, reply), problem);
        }
        boolean replayed = request.operation() == Operation.ACQUIRE && reply.status() == 200;
        // An acquire of a semaphore may make several attempts at once.
        boolean several = request.terms().kind().type() == LockKind.Type.SLOTS;
        boolean waits = several
                || request.operation() == Operation.SESSION
                || request.terms().longestWait() > 0;
        Outcome outcome = replayed ? Outcome.REPLAYED : Outcome.DONE;
        // The numbers are equal for all locks of a lease.
        JsonNode fenced = request.terms().areOfSeveral() ? body.path("leases").path(0) : body;
        return lease(outcome, body, fenced.path("fencingToken").asLong(), waits);
    }

    /** @param waits whether the elapsed time contains more than the last attempt */
    static CallResult lease(Outcome outcome, JsonNode body, long fence, boolean waits) {
        long elapsed = nanos(body.path("elapsedMs"));
        int left = body.path("extensionsLeft").asInt(Setup.EXTENSIONS_MAX);
        return new CallResult(
                outcome,
                "",
                fence,
                nanos(body.path("validityMs")),
                elapsed,
                waits ? 0 : elapsed,
                Setup.EXTENSIONS_MAX - left);
    }

    private static long nanos(JsonNode millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis.asLong());
    }

    private static Outcome outcome(String problem, HttpLine.Reply reply) {
        return switch (problem) {
            case "locked" -> Outcome.HELD;
                // With another name of a lease of several locks, the lease is lost as well.
            case "lease-not-found", "not-owner", "token-in-use" -> Outcome.LOST;
            case "no-quorum" -> withoutQuorum(reply);
            case "overloaded", "shutting-down" -> Outcome.REJECTED;
            default -> reply.status() >= 500 ? Outcome.UNCONFIRMED : Outcome.REJECTED;
        };
    }

    private static Outcome withoutQuorum(HttpLine.Reply reply) {
        boolean none = reply.body().path("outcome").asText().equals("none");
        return none ? Outcome.NO_QUORUM : Outcome.UNCONFIRMED;
    }

    @Override
    public void close() {
        replicas.forEach(HttpLine::close);
    }
}
