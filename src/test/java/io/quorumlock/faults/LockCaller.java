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

/** Calls the replicas for one client, one call at a time, and writes each down. */
final class LockCaller implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final HttpLine.Reply NOTHING = new HttpLine.Reply(0, MissingNode.getInstance());

    private final String process;
    private final List<HttpLine> replicas;
    private final Consumer<HistoryLine> history;

    /** Is what a call is about; the lease stands for its token. */
    record Wish(String resource, String lease, long ttlMs) {}

    LockCaller(String process, List<Integer> ports, Consumer<HistoryLine> history) {
        this.process = process;
        this.replicas = ports.stream().map(port -> new HttpLine(port, PATIENCE)).toList();
        this.history = history;
    }

    Call acquire(int replica, Wish wish, int attempt) {
        return call(new Question(replica, Operation.ACQUIRE, wish, attempt, System.nanoTime()));
    }

    Call extend(int replica, Wish wish) {
        return call(new Question(replica, Operation.EXTEND, wish, 0, System.nanoTime()));
    }

    Call release(int replica, Wish wish) {
        return call(new Question(replica, Operation.RELEASE, wish, 0, System.nanoTime()));
    }

    /** Sends the request and leaves without an answer. */
    Call vanish(int replica, Operation operation, Wish wish, int attempt) {
        Question question = new Question(replica, operation, wish, attempt, System.nanoTime());
        try {
            replicas.get(replica - 1).vanish(question.request());
            return note(question, new Outcome(Result.UNKNOWN, Call.VANISHED), NOTHING);
        } catch (IOException e) {
            return note(question, Outcome.of(e), NOTHING);
        }
    }

    private Call call(Question question) {
        try {
            HttpLine.Reply reply = replicas.get(question.replica() - 1).send(question.request());
            return note(question, Outcome.of(reply), reply);
        } catch (IOException e) {
            return note(question, Outcome.of(e), NOTHING);
        }
    }

    private Call note(Question question, Outcome outcome, HttpLine.Reply reply) {
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
                replicas.get(question.replica() - 1).connected(),
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

    private record Question(int replica, Operation operation, Wish wish, int attempt, long invoked) {
        HttpLine.Request request() {
            String path = "/locks/" + wish.resource();
            String token = "token-of-lease-" + wish.lease();
            String terms = "{\"ttlMs\":" + wish.ttlMs() + "}";
            return switch (operation) {
                case ACQUIRE -> new HttpLine.Request("POST", path, token, terms);
                case EXTEND -> new HttpLine.Request("PUT", path + "/extend", token, terms);
                case RELEASE -> new HttpLine.Request("DELETE", path, token, "");
            };
        }
    }

    private record Outcome(Result result, String problem) {
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
