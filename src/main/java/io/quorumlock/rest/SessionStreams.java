package io.quorumlock.rest;

import io.quorumlock.events.StreamLimits;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.security.Verb;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.Opening;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens sessions, and takes their beats. */
@Singleton
final class SessionStreams {
    private static final Set<String> BEAT_FIELDS = Set.of("token");

    private final Sessions sessions;
    private final Limits limits;
    private final StreamLimits streams;
    private final Clock clock;
    private final OutcomeMapper outcomes;
    private final ProblemMapper problems;
    private final Exchanges exchanges;
    private final AnswerWriter writer;

    SessionStreams(
            Sessions sessions,
            Limits limits,
            StreamLimits streams,
            Clock clock,
            OutcomeMapper outcomes,
            ProblemMapper problems,
            Exchanges exchanges,
            AnswerWriter writer) {
        this.sessions = sessions;
        this.limits = limits;
        this.streams = streams;
        this.clock = clock;
        this.outcomes = outcomes;
        this.problems = problems;
        this.exchanges = exchanges;
        this.writer = writer;
    }

    /** Opens one, and answers with its stream. */
    void open(LockCall call, RoutingContext context) {
        requireAll(call);
        begin(SessionRequest.read(call, limits), call, context);
    }

    /** What a session does is to acquire and to extend. */
    private static void requireAll(LockCall call) {
        call.access().require(Verb.ACQUIRE, call.resource());
        call.access().require(Verb.EXTEND, call.resource());
    }

    private void begin(SessionRequest request, LockCall call, RoutingContext context) {
        Wish wish = new Wish(request.acquire().resource()::equals, () -> requireAll(call));
        Runnable leave = enterToWait(request, call, context);
        SessionStream stream = new SessionStream(
                context,
                writer,
                clock,
                streams.heartbeat(),
                outcome -> refusal(request.acquire(), outcome),
                wish::isGranted);
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
    }

    /** Takes a place among those who wait with this key, until the opening or the end of the connection. */
    private static Runnable enterToWait(SessionRequest request, LockCall call, RoutingContext context) {
        if (request.acquire().terms().patience().isZero()) {
            return () -> {};
        }
        Runnable place = call.access().enterToWait();
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

    /** Takes a beat, for whichever replica keeps the session. */
    void beat(LockCall call, RoutingContext context) {
        call.access().require(Verb.EXTEND, call.resource());
        Fields fields = call.fields(BEAT_FIELDS);
        Optional<LeaseToken> token = fields.requiredToken();
        fields.check();
        exchanges.answer(context, sessions.beat(call.resource(), token.orElseThrow()), outcomes::beat);
    }
}
