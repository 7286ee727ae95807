// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.lock.Lease;
import io.quorumlock.rest.EventStream.SentEvent;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.Opening;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Opens sessions as streams of events. */
@Singleton
final class SessionStreams {
    /** Few, so that a client that stops reading is soon noticed: the events are rare. */
    private static final int MAX_WAITING = 16;

    private static final SentEvent HEARTBEAT = SentEvent.comment("held");

    private final Sessions sessions;
    private final StreamLimits streams;
    private final Clock clock;
    private final OutcomeMapper outcomes;
    private final Vertx vertx;

    SessionStreams(Sessions sessions, StreamLimits streams, Clock clock, OutcomeMapper outcomes, Vertx vertx) {
        this.sessions = sessions;
        this.streams = streams;
        this.clock = clock;
        this.outcomes = outcomes;
        this.vertx = vertx;
    }

    /**
     * Opens a session. Its stream begins when the lease is acquired, and fails with the answer if it is not.
     *
     * @param accessCheck throws a {@link ProblemException} if the client may no longer hold the lock; called with each
     *     heartbeat
     */
    Answer open(SessionRequest request, Access access, Runnable accessCheck) {
        SessionStream stream = new SessionStream(request, access, accessCheck);
        Answer answer = EventStream.answer(EventStream.from(stream, MAX_WAITING)
                        .onFailure(BackPressureFailure.class)
                        .invoke(() -> stream.end(SessionEndReason.STALLED))
                        .onCancellation()
                        .invoke(() -> stream.end(SessionEndReason.GONE)))
                .ifUndelivered(() -> stream.end(SessionEndReason.UNDELIVERED));
        return applied(request.acquire(), answer);
    }

    private static Answer applied(AcquireRequest request, Answer answer) {
        return request.preference()
                .map(applied -> answer.with(AcquireRequest.APPLIED, applied))
                .orElse(answer);
    }

    private Answer refusal(AcquireRequest request, Opening outcome) {
        if (outcome instanceof Opening.Refused refused) {
            return outcomes.acquisition(request, refused.why());
        }
        if (outcome instanceof Opening.TooManySessions tooMany) {
            return applied(request, Problems.tooManySessions(tooMany.most()));
        }
        throw new IllegalStateException("no refusal: " + outcome.getClass().getName());
    }

    /** One session. Confined to the event loop of the connection, except its events. */
    private final class SessionStream implements Consumer<MultiEmitter<? super SentEvent>> {
        private final SessionRequest request;
        private final Access access;
        private final Runnable accessCheck;
        /** Completed after the lease was sent, or the failure. */
        private final CompletableFuture<Void> begun = new CompletableFuture<>();

        private CompletableFuture<Opening> opening = new CompletableFuture<>();

        private SessionStream(SessionRequest request, Access access, Runnable accessCheck) {
            this.request = request;
            this.access = access;
            this.accessCheck = accessCheck;
        }

        @Override
        public void accept(MultiEmitter<? super SentEvent> client) {
            Runnable leaveKey = access.enterSession();
            long heartbeat = vertx.setPeriodic(streams.heartbeat().toMillis(), due -> beat(client));
            client.onTermination(() -> {
                vertx.cancelTimer(heartbeat);
                leaveKey.run();
            });
            boolean waits = !request.acquire().terms().patience().isZero();
            Runnable leave = waits ? access.enterToWait() : () -> {};
            opening = sessions.open(request.acquire().resource(), request.terms(), new Consumer<>() {
                private CompletableFuture<Void> sent = begun;

                /** Sends the event after the lease, even if this thread does not wait for the opening yet. */
                @Override
                public void accept(SessionEvent event) {
                    sent = sent.thenRun(() -> send(event, client));
                }
            });
            opening.whenComplete((outcome, bug) -> {
                leave.run();
                opened(outcome, bug, client);
                begun.complete(null);
            });
        }

        private void opened(Opening outcome, Throwable bug, MultiEmitter<? super SentEvent> client) {
            if (outcome instanceof Opening.Opened opened) {
                client.emit(SentEvent.of("lease", LeaseBody.of(opened.lease(), clock.instant())));
            } else if (bug == null) {
                client.fail(new ProblemException(refusal(request.acquire(), outcome)));
            } else if (!opening.isCancelled()) {
                client.fail(bug);
            }
        }

        private void send(SessionEvent event, MultiEmitter<? super SentEvent> client) {
            if (event instanceof SessionEvent.Extended extended) {
                client.emit(SentEvent.of("extended", SessionBody.Extended.of(extended, clock.instant())));
            } else if (event instanceof SessionEvent.Lost lost) {
                client.emit(SentEvent.of("lost", SessionBody.Lost.of(lost))).complete();
            } else if (event instanceof SessionEvent.Ended ended) {
                client.emit(SentEvent.of("ended", SessionBody.Ended.of(ended))).complete();
            }
        }

        /** Ends the session of a client whose key was removed meanwhile. */
        private void beat(MultiEmitter<? super SentEvent> client) {
            if (!begun.isDone()) {
                return;
            }
            if (Access.passes(accessCheck)) {
                client.emit(HEARTBEAT);
            } else {
                end(SessionEndReason.GONE);
            }
        }

        /** Ends the session, or its opening: a lease that was granted meanwhile is released (R11). */
        private void end(SessionEndReason why) {
            opening.cancel(false);
            opening.thenAccept(outcome -> {
                if (outcome instanceof Opening.Opened opened) {
                    opened.session().end(why);
                }
            });
        }
    }

    /** An event of a session after its lease, as JSON. {@code elapsedMs} counts from the request, as deadlines do. */
    sealed interface SessionBody {

        record Extended(long fencingToken, long validityMs, long elapsedMs, String expiresAt, int extensionsLeft)
                implements SessionBody {
            static Extended of(SessionEvent.Extended news, Instant now) {
                Lease lease = news.lease();
                return new Extended(
                        lease.fence().number(),
                        lease.validity().toMillis(),
                        news.since().toMillis(),
                        now.plus(lease.validity())
                                .truncatedTo(ChronoUnit.MILLIS)
                                .toString(),
                        lease.extensionsLeft());
            }
        }

        record Lost(String reason) implements SessionBody {
            static Lost of(SessionEvent.Lost news) {
                return new Lost(label(news.why()));
            }
        }

        record Ended(String reason, long validityMs, long elapsedMs) implements SessionBody {
            static Ended of(SessionEvent.Ended news) {
                return new Ended(
                        label(news.why()), news.left().toMillis(), news.since().toMillis());
            }
        }

        private static String label(SessionEndReason why) {
            return why.name().toLowerCase(Locale.ROOT);
        }
    }
}
