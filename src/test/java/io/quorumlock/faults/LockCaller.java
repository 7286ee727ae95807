// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quorumlock.faults.Call.Result;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Calls to the replicas by one client, one at a time. Each is recorded in the history. */
final class LockCaller implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(4);
    static final HttpLine.Reply NOTHING = new HttpLine.Reply(0, MissingNode.getInstance());

    private final String process;
    private final List<Integer> ports;
    private final List<HttpLine> replicas;
    private final Consumer<HistoryLine> history;

    /**
     * The lock that a client wants. The lease stands for its token.
     *
     * @param waitMs how long to wait for the lock
     * @param minValidityMs the minimum validity
     */
    record Wish(String resource, String lease, long ttlMs, long waitMs, long minValidityMs) {
        Wish(String resource, String lease, long ttlMs) {
            this(resource, lease, ttlMs, 0, 0);
        }

        Wish waiting(long forMs) {
            return new Wish(resource, lease, ttlMs, forMs, minValidityMs);
        }

        Wish atLeast(long validityMs) {
            return new Wish(resource, lease, ttlMs, waitMs, validityMs);
        }
    }

    LockCaller(String process, List<Integer> ports, Consumer<HistoryLine> history) {
        this.process = process;
        this.ports = ports;
        this.replicas = ports.stream().map(port -> new HttpLine(port, PATIENCE)).toList();
        this.history = history;
    }

    Call acquire(int replica, Wish wish, int attempt) {
        return call(Question.now(replica, Operation.ACQUIRE, wish, attempt));
    }

    Call extend(int replica, Wish wish) {
        return call(Question.now(replica, Operation.EXTEND, wish, 0));
    }

    Call release(int replica, Wish wish) {
        return call(Question.now(replica, Operation.RELEASE, wish, 0));
    }

    /** Breaks the current lease, whatever its token. */
    Call breakLock(int replica, Wish wish) {
        return call(Question.now(replica, Operation.BREAK, wish, 0));
    }

    /** Opens a session on a separate connection. */
    LockSession open(int replica, Wish wish) {
        HttpLine line = new HttpLine(ports.get(replica - 1), PATIENCE);
        return new LockSession(this, line, Question.now(replica, Operation.SESSION, wish, 1));
    }

    /** Sends the request and disconnects after a delay, without an answer. */
    Call abandon(Question question, Duration after) {
        HttpLine line = replicas.get(question.replica() - 1);
        try {
            line.abandon(question.request(), after);
            return recordCall(question, line, new Outcome(Result.UNKNOWN, Call.VANISHED), NOTHING);
        } catch (IOException e) {
            return recordCall(question, line, Outcome.of(e), NOTHING);
        }
    }

    private Call call(Question question) {
        return call(question, replicas.get(question.replica() - 1));
    }

    Call call(Question question, HttpLine line) {
        try {
            HttpLine.Reply reply = line.send(question.request());
            return recordCall(question, line, Outcome.of(reply), reply);
        } catch (IOException e) {
            return recordCall(question, line, Outcome.of(e), NOTHING);
        }
    }

    Call recordCall(Question question, HttpLine line, Outcome outcome, HttpLine.Reply reply) {
        Wish wish = question.wish();
        JsonNode body = reply.body();
        Call call = new Call(
                process,
                question.replica(),
                question.operation(),
                wish.resource(),
                wish.lease(),
                question.attempt(),
                wish.ttlMs(),
                wish.waitMs(),
                wish.minValidityMs(),
                line.connected(),
                question.invoked(),
                System.nanoTime(),
                outcome.result(),
                reply.status(),
                outcome.problem(),
                body.path("fencingToken").asLong(),
                body.path("validityMs").asLong(),
                body.path("elapsedMs").asLong());
        history.accept(call);
        return call;
    }

    record Outcome(Result result, String problem) {
        static Outcome of(IOException e) {
            if (e instanceof ConnectException) {
                return new Outcome(Result.FAIL, Call.REFUSED);
            }
            String problem = e instanceof SocketTimeoutException ? "time-out" : "broken: " + e.getMessage();
            return new Outcome(Result.UNKNOWN, problem);
        }

        static Outcome of(HttpLine.Reply reply) {
            String problem = reply.body().path("type").asText().replace("/problems/", "");
            if (reply.status() < 300) {
                return new Outcome(Result.OK, problem);
            }
            boolean none = reply.body().path("outcome").asText().equals("none");
            return new Outcome(reply.status() >= 500 && !none ? Result.UNKNOWN : Result.FAIL, problem);
        }
    }

    @Override
    public void close() {
        replicas.forEach(HttpLine::close);
    }
}
