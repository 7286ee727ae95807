package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** Finds in whose name a thread works: in that of a round that a node just answered, or of the request that it serves. */
final class Origin {
    private static final String KEY = Origin.class.getName();

    private Origin() {}

    /** Binds a request to all that is called on its own part of a loop, now and later. */
    static void bind(Context request) {
        Vertx.currentContext().putLocal(KEY, request);
    }

    /** Finds it; the root where nobody asked. */
    static Context current() {
        Context round = Context.current();
        if (isSpan(round)) {
            return round;
        }
        io.vertx.core.Context turn = Vertx.currentContext();
        boolean ofRequest = turn != null && VertxContext.isDuplicatedContext(turn);
        Context request = ofRequest ? turn.getLocal(KEY) : null;
        return request == null ? Context.root() : request;
    }

    /** Says whether it is that of a request or a round, exported or not. */
    static boolean isSpan(Context context) {
        return Span.fromContext(context).getSpanContext().isValid();
    }

    /** Takes it along to a loop. */
    static Executor following(Executor loop) {
        return task -> loop.execute(current().wrap(task));
    }
}
