package io.quorumlock.rest;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Explains each type of problem at its URI. */
final class ProblemPages {
    private ProblemPages() {}

    static boolean has(String path) {
        return path.startsWith(ProblemType.BASE);
    }

    static void answer(String path, RoutingContext context) {
        ProblemType type = ProblemType.ofSlug(path.substring(ProblemType.BASE.length()))
                .orElseThrow(() -> new Refusal(Problems.notFound()));
        context.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/markdown;charset=UTF-8")
                .end(type.page());
    }
}
