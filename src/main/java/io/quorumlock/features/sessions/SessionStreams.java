// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.EventStream;
import io.quorumlock.http.EventStream.SentEvent;
import io.quorumlock.http.LeaseBody;
import io.quorumlock.http.OutcomeMapper;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.ProblemType;
import io.quorumlock.http.TimeFormat;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Opens sessions as streams of events. */
@Singleton
final class SessionStreams {

    @Produces
    @Singleton
    static final ProblemType TOO_MANY_SESSIONS = new ProblemType(
            "too-many-sessions",
            429,
            "Too many sessions",
            "The number of sessions of a replica is limited. Nothing was acquired. Retry after"
                    + " Retry-After seconds, or on another replica.");

    /** Few, so that a client that stops reading is soon noticed: the events are rare. */
    private static final int MAX_WAITING = 16;

    private static final SentEvent HEARTBEAT = SentEvent.comment("held");

    private final Sessions sessions;
    private final Duration heartbeat;
    private final Clock clock;
    private final OutcomeMapper outcomes;
    private final Vertx vertx;

    SessionStreams(
            Sessions sessions,
            @ConfigProperty(name = "quorumlock.events.heartbeat") Duration heartbeat,
            Clock clock,
            OutcomeMapper outcomes,
            Vertx vertx) {
        this.sessions = sessions;
        this.heartbeat = heartbeat;
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
    Answer open(ResourceName resource, AcquireTerms terms, Access access, Runnable accessCheck) {
        SessionStream stream = new SessionStream(resource, terms, access, accessCheck);
        return Answer.of(new EventStream(EventStream.from(stream, MAX_WAITING)
                        .onFailure(BackPressureFailure.class)
                        .invoke(() -> stream.end(SessionEndReason.GONE))
                        .onCancellation()
                        .invoke(() -> stream.end(SessionEndReason.GONE))))
                .ifUndelivered(() -> stream.end(SessionEndReason.UNDELIVERED));
    }

    /** One session. Confined to the event loop of the connection, except its events. */
    private final class SessionStream implements Consumer<MultiEmitter<? super SentEvent>> {
        private final ResourceName resource;
        private final AcquireTerms terms;
        private final Access access;
        private final Runnable accessCheck;
        private Consumer<SessionEndReason> session = why -> {};

        private SessionStream(ResourceName resource, AcquireTerms terms, Access access, Runnable accessCheck) {
            this.resource = resource;
            this.terms = terms;
            this.access = access;
            this.accessCheck = accessCheck;
        }

        @Override
        public void accept(MultiEmitter<? super SentEvent> stream) {
            Runnable leaveKey = access.enterStream(TOO_MANY_SESSIONS);
            SessionEvents events = new SessionEvents(stream);
            long timer = vertx.setPeriodic(heartbeat.toMillis(), due -> beat(events));
            stream.onTermination(() -> {
                vertx.cancelTimer(timer);
                events.leaveQueue();
                leaveKey.run();
            });
            if (!terms.patience().isZero()) {
                events.place.set(access.enterToWait());
            }
            session = sessions.open(resource, terms, events);
        }

        /** Ends the session of a client whose key was removed meanwhile. */
        private void beat(SessionEvents events) {
            if (!events.begun) {
                return;
            }
            if (Access.passes(accessCheck)) {
                events.stream.emit(HEARTBEAT);
            } else {
                end(SessionEndReason.GONE);
            }
        }

        private void end(SessionEndReason why) {
            session.accept(why);
        }
    }

    /** Writes the events of one session to its stream. Called on the engine's event loop. */
    private final class SessionEvents implements SessionClient {
        private final MultiEmitter<? super SentEvent> stream;
        /** Ends the place of the request among the waiters of its key. */
        private final AtomicReference<Runnable> place = new AtomicReference<>(() -> {});

        private volatile boolean begun;

        private SessionEvents(MultiEmitter<? super SentEvent> stream) {
            this.stream = stream;
        }

        private void leaveQueue() {
            place.getAndSet(() -> {}).run();
        }

        @Override
        public void began(Lease lease) {
            leaveQueue();
            stream.emit(SentEvent.of("lease", LeaseBody.of(lease, clock.instant())));
            begun = true;
        }

        @Override
        public void refused(Acquisition why) {
            stream.fail(new ProblemException(outcomes.acquisition(why)));
        }

        @Override
        public void failed(Throwable why) {
            stream.fail(why);
        }

        @Override
        public void extended(Lease lease, Duration since) {
            stream.emit(SentEvent.of("extended", ExtendedBody.of(lease, since, clock.instant())));
        }

        @Override
        public void lost(SessionEndReason why) {
            stream.emit(SentEvent.of("lost", new LostBody(why.label()))).complete();
        }

        @Override
        public void ended(SessionEndReason why, Duration since, Duration left) {
            stream.emit(SentEvent.of("ended", new EndedBody(why.label(), left.toMillis(), since.toMillis())))
                    .complete();
        }
    }

    /** An extension as JSON. {@code elapsedMs} counts from the request, as deadlines do. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record ExtendedBody(
            long fencingToken, long validityMs, long elapsedMs, String expiresAt, OptionalInt extensionsLeft) {
        static ExtendedBody of(Lease lease, Duration since, Instant now) {
            return new ExtendedBody(
                    lease.fence().number(),
                    lease.validity().toMillis(),
                    since.toMillis(),
                    TimeFormat.timestamp(now.plus(lease.validity())),
                    lease.extensionsLeft());
        }
    }

    record LostBody(String reason) {}

    record EndedBody(String reason, long validityMs, long elapsedMs) {}
}
