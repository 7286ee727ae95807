package io.quorumlock.rest;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Finds who answers a request about one lock, by its path as it came on the wire. */
@Singleton
final class LockRoutes {
    private final Locks locks;
    private final EventStreams events;
    private final SessionStreams sessions;
    private final Exchanges exchanges;

    LockRoutes(Locks locks, EventStreams events, SessionStreams sessions, Exchanges exchanges) {
        this.locks = locks;
        this.events = events;
        this.sessions = sessions;
        this.exchanges = exchanges;
    }

    void answer(RoutingContext context, Access access) {
        LockCall call = call(context.request(), access);
        exchanges.read(context, body -> answer(call.withBody(body), context));
    }

    private static LockCall call(HttpServerRequest request, Access access) {
        try {
            LockPath path = LockPath.parse(request.path());
            RequestLine.requireMethod(request, path.methods());
            return new LockCall(
                    path,
                    path.resource(),
                    RequestLine.query(request),
                    Exchanges.NO_BODY,
                    request.headers().getAll("Lock-Token"),
                    WaitPreference.read(request.headers().getAll("Prefer")),
                    access);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problems.invalidResource(e.getMessage()));
        }
    }

    private void answer(LockCall call, RoutingContext context) {
        switch (call.path().part()) {
            case LOCK -> answerForLock(call, context);
            case EXTENSION -> locks.extend(call, context);
            case EVENTS -> events.openFor(call, context);
            case SESSION -> sessions.open(call, context);
            case BEAT -> sessions.beat(call, context);
            default -> throw new IllegalStateException("no part: " + call.path().part());
        }
    }

    private void answerForLock(LockCall call, RoutingContext context) {
        String method = context.request().method().name();
        switch (method) {
            case "POST" -> locks.acquire(call, context);
            case "DELETE" -> locks.release(call, context);
            case "GET" -> locks.inspect(call, context);
            default -> throw new IllegalStateException("let in: " + method);
        }
    }
}
