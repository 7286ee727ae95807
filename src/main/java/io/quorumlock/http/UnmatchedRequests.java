// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Answers requests that no route matched or that the router itself rejected, instead of the pages of the framework. */
@Singleton
final class UnmatchedRequests {
    /** Just before the framework's own. */
    private static final int ORDER = Integer.MAX_VALUE - 1;

    private final ProblemMappers problems;
    private final AnswerWriter writer;

    UnmatchedRequests(ProblemMappers problems, AnswerWriter writer) {
        this.problems = problems;
        this.writer = writer;
    }

    void register(@Observes Router router) {
        router.route()
                .order(ORDER)
                .handler(context -> writer.write(Problems.notFound(), context))
                .failureHandler(this::answer);
    }

    private void answer(RoutingContext context) {
        if (context.statusCode() == 401 || context.statusCode() == 403) {
            context.next();
        } else if (context.statusCode() == 404) {
            writer.write(Problems.notFound(), context);
        } else if (context.statusCode() < 500) {
            writer.write(
                    Problems.invalidRequest(
                            "request", "must be valid HTTP: one Host, a path from /, a Range in the file"),
                    context);
        } else {
            writer.write(problems.answer(context.failure()), context);
        }
    }
}
