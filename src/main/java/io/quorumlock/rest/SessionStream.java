package io.quorumlock.rest;

import io.quorumlock.session.SessionEndReason;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.Sessions.Opening;
import io.quorumlock.session.Sessions.Session;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Answers a request for a session: with what refuses it, or with a stream for as long as it lasts. */
final class SessionStream {
    /** Little, so that a reader who stops reading is soon noticed: few events come, and they are short. */
    private static final int MOST_BYTES = 4 * 1024;

    private static final String HEARTBEAT = ": held\n\n";

    private final RoutingContext context;
    private final SentEvents events;
    private final AnswerWriter writer;
    private final Clock clock;
    private final Duration heartbeats;
    private final Refusals refusals;
    private final BooleanSupplier mayGoOn;
    private Session session = why -> {};

    /** Is the table of what is answered where no session begins. */
    interface Refusals {
        Answer of(Opening outcome);
    }

    /**
     * Must be made on the loop of the connection.
     *
     * @param mayGoOn whether the client may still hold locks; asked with each heartbeat
     */
    SessionStream(
            RoutingContext context,
            AnswerWriter writer,
            Clock clock,
            Duration heartbeats,
            Refusals refusals,
            BooleanSupplier mayGoOn) {
        this.context = context;
        this.writer = writer;
        this.clock = clock;
        this.heartbeats = heartbeats;
        this.refusals = refusals;
        this.mayGoOn = mayGoOn;
        this.events =
                new SentEvents(context, cut -> session.end(cut ? SessionEndReason.STALLED : SessionEndReason.GONE));
    }

    /** Ends the opening when the connection ends. */
    void follow(CompletableFuture<Opening> opening) {
        session = why -> opening.cancel(false);
        if (events.isOver()) {
            opening.cancel(false);
        }
    }

    /** Starts the stream of an opened session, and ends the session when the connection ends. */
    void opened(Opening outcome) {
        events.onLoop(() -> {
            if (outcome instanceof Opening.Opened opened) {
                session = opened.session();
                if (events.isOver()) {
                    session.end(SessionEndReason.GONE);
                } else {
                    events.begin(MOST_BYTES, heartbeats, this::beat);
                    events.write(text("lease", LeaseBody.of(opened.lease(), clock.instant())));
                }
            } else if (!events.isOver()) {
                writer.write(refusals.of(outcome), context);
            }
        });
    }

    /** Answers a request whose session could not be opened because of a bug. */
    void fail(Answer answer) {
        events.onLoop(() -> {
            if (!events.isOver()) {
                writer.write(answer, context);
            }
        });
    }

    /** Is told on the engine's loop, which waits for nobody. */
    void hear(SessionEvent news) {
        events.onLoop(() -> {
            if (!events.isOver()) {
                tell(news);
            }
        });
    }

    private void tell(SessionEvent news) {
        if (news instanceof SessionEvent.Extended extended) {
            events.write(text("extended", SessionBody.Extended.of(extended, clock.instant())));
        } else if (news instanceof SessionEvent.Lost lost) {
            events.end(text("lost", SessionBody.Lost.of(lost)));
        } else if (news instanceof SessionEvent.Ended ended) {
            events.end(text("ended", SessionBody.Ended.of(ended)));
        }
    }

    /** Ends the session of a client whose key was taken away meanwhile. */
    private void beat() {
        if (mayGoOn.getAsBoolean()) {
            events.write(HEARTBEAT);
        } else {
            session.end(SessionEndReason.GONE);
        }
    }

    private String text(String event, Object body) {
        return SentEvents.text(event, writer.bytes(body));
    }
}
