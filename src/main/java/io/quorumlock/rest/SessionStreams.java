package io.quorumlock.rest;

import io.quorumlock.events.StreamLimits;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.Opening;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens sessions, and takes their beats. */
@Singleton
final class SessionStreams {
    private final Sessions sessions;
    private final StreamLimits streams;
    private final Clock clock;
    private final OutcomeMapper outcomes;
    private final ProblemMappers problems;
    private final AnswerWriter writer;

    SessionStreams(
            Sessions sessions,
            StreamLimits streams,
            Clock clock,
            OutcomeMapper outcomes,
            ProblemMappers problems,
            AnswerWriter writer) {
        this.sessions = sessions;
        this.streams = streams;
        this.clock = clock;
        this.outcomes = outcomes;
        this.problems = problems;
        this.writer = writer;
    }

    /** Opens a session. The result never emits: the stream writes the response. */
    Uni<Answer> open(SessionRequest request, EventFilter filter, RoutingContext context) {
        Runnable leave = enterToWait(request, context);
        SessionStream stream = new SessionStream(
                context,
                writer,
                clock,
                streams.heartbeat(),
                outcome -> refusal(request.acquire(), outcome),
                filter::isGranted);
        request.acquire().preference().ifPresent(applied -> context.response()
                .putHeader(AcquireRequest.APPLIED, applied));
        CompletableFuture<Opening> opening = sessions.open(request.acquire().resource(), request.terms(), stream::hear);
        stream.follow(opening);
        opening.whenComplete((outcome, bug) -> {
            leave.run();
            if (bug == null) {
                stream.opened(outcome);
            } else if (!opening.isCancelled()) {
                stream.fail(problems.answer(bug));
            }
        });
        return Uni.createFrom().nothing();
    }

    /** Takes a place among those who wait with this key, until the opening or the end of the connection. */
    private static Runnable enterToWait(SessionRequest request, RoutingContext context) {
        if (request.acquire().terms().patience().isZero()) {
            return () -> {};
        }
        Runnable place = RequestFilter.access(context).enterToWait();
        AtomicBoolean taken = new AtomicBoolean(true);
        Runnable leave = () -> {
            if (taken.getAndSet(false)) {
                place.run();
            }
        };
        context.addEndHandler(end -> leave.run());
        return leave;
    }

    private Answer refusal(AcquireRequest request, Opening outcome) {
        if (outcome instanceof Opening.Refused refused) {
            return outcomes.acquisition(request, refused.why());
        }
        if (outcome instanceof Opening.TooManySessions tooMany) {
            return Problems.tooManySessions(tooMany.most());
        }
        throw new IllegalStateException("no refusal: " + outcome.getClass().getName());
    }
}
