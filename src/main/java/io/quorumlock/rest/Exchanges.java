package io.quorumlock.rest;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Takes requests through to their answers, and answers whatever fails on the way. */
@Singleton
final class Exchanges {
    static final byte[] NO_BODY = {};

    private final AnswerWriter writer;
    private final ProblemMapper problems;

    Exchanges(AnswerWriter writer, ProblemMapper problems) {
        this.writer = writer;
        this.problems = problems;
    }

    /** Reads the body, empty where there is none, and hands it on. */
    void read(RoutingContext context, Consumer<byte[]> action) {
        HttpServerRequest request = context.request();
        if (!RequestBody.mayFollow(request)) {
            request.resume();
            attempt(context, () -> action.accept(NO_BODY));
            return;
        }
        RequestBody.read(request, new RequestBody.Reader() {
            @Override
            public void whole(byte[] body) {
                attempt(context, () -> action.accept(body));
            }

            @Override
            public void refused(Answer answer) {
                writer.write(answer, context);
            }
        });
    }

    /** Answers with what the engine says, on the loop of the connection. A client that leaves cancels the engine's call. */
    <T> void answer(RoutingContext context, CompletableFuture<T> outcome, Function<T, Answer> table) {
        follow(context, outcome, said -> writer.write(table.apply(said), context));
    }

    /** @param unheard is told of what the engine said and the client did not hear, or not to its end (R11) */
    <T> void answer(
            RoutingContext context, CompletableFuture<T> outcome, Function<T, Answer> table, Consumer<T> unheard) {
        follow(context, outcome, said -> writer.write(table.apply(said), context)
                .onFailure(cut -> unheard.accept(said)));
    }

    private <T> void follow(RoutingContext context, CompletableFuture<T> outcome, Consumer<T> answer) {
        Context loop = context.vertx().getOrCreateContext();
        context.addEndHandler(end -> outcome.cancel(false));
        outcome.whenComplete((said, bug) -> {
            if (!outcome.isCancelled()) {
                loop.runOnContext(turn -> attempt(context, () -> {
                    if (bug == null) {
                        answer.accept(said);
                    } else {
                        writer.write(problems.answer(bug), context);
                    }
                }));
            }
        });
    }

    /** Takes one step. */
    void attempt(RoutingContext context, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            writer.write(problems.answer(failure), context);
        }
    }
}
