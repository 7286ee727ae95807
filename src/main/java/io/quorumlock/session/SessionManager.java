package io.quorumlock.session;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopCalls;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keeps the sessions of this replica.
 *
 * <p>May be called from any thread; all state lives on the loop of its surroundings, which must be the engine's.
 */
public final class SessionManager implements Sessions {
    private final Heartbeats beats;
    private final Bounds bounds;
    private final EngineContext engineContext;
    private final SessionListener events;
    private final HeldSession.Workshop workshop;
    private final Handovers handovers;
    private final Set<HeldSession> sessions = new LinkedHashSet<>();
    private final Map<Holding, HeldSession> begun = new HashMap<>();
    private volatile int count;
    private boolean closed;

    /** Is what proves that two sessions are of the same client. */
    record Holding(ResourceName resource, LeaseToken token) {}

    public SessionManager(
            LockEngine engine, Heartbeats beats, Bounds bounds, EngineContext engineContext, SessionListener events) {
        this.beats = beats;
        this.bounds = bounds;
        this.engineContext = engineContext;
        this.events = events;
        this.handovers = new Handovers(engine, engineContext.loop());
        this.workshop =
                new HeldSession.Workshop(engine, beats, engineContext, bounds.longest(), new HeldSession.Register() {
                    @Override
                    public void begun(HeldSession session, Holding holding) {
                        session.claimed().ifPresent(handovers::acquired);
                        replace(session, holding);
                    }

                    @Override
                    public void left(HeldSession session) {
                        if (sessions.contains(session)) {
                            forget(session);
                            session.claimed().ifPresent(handovers::left);
                        }
                    }

                    @Override
                    public void release(Holding holding) {
                        handovers.release(holding);
                    }

                    @Override
                    public void over(HeldSession session, Holding holding, SessionEndReason why) {
                        begun.remove(holding, session);
                        forget(session);
                        SessionManager.this.events.ended(why);
                    }
                });
    }

    @Override
    public Session open(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> holder) {
        HeldSession session = new HeldSession(resource, terms, holder, workshop);
        LoopCalls.run(engineContext.loop(), entered -> enter(session)).exceptionally(bug -> fail(session, bug));
        return why -> engineContext.loop().execute(() -> session.end(why));
    }

    private static Object fail(HeldSession session, Throwable bug) {
        session.leave(new SessionEvent.Failed(bug));
        return null;
    }

    private void enter(HeldSession session) {
        if (closed) {
            session.leave(new SessionEvent.Refused(new Acquisition.ShuttingDown()));
        } else if (sessions.size() >= bounds.most()) {
            session.leave(new SessionEvent.TooMany(bounds.most()));
        } else {
            sessions.add(session);
            count = sessions.size();
            session.claimed().ifPresentOrElse(holding -> handovers.acquire(holding, session::begin), session::begin);
        }
    }

    /** A client that comes again with its token has lost its other connection, whatever the socket says. */
    private void replace(HeldSession session, Holding holding) {
        HeldSession before = begun.put(holding, session);
        if (before != null) {
            before.end(SessionEndReason.REPLACED);
        }
    }

    private void forget(HeldSession session) {
        sessions.remove(session);
        count = sessions.size();
    }

    @Override
    public CompletableFuture<BeatOutcome> beat(ResourceName resource, LeaseToken token) {
        return LoopCalls.<CompletableFuture<BeatOutcome>>run(
                        engineContext.loop(), answer -> answer.complete(hear(resource, token)))
                .thenCompose(Function.identity());
    }

    private CompletableFuture<BeatOutcome> hear(ResourceName resource, LeaseToken token) {
        HeldSession here = begun.get(new Holding(resource, token));
        if (here == null) {
            return beats.send(resource, token);
        }
        here.hear();
        return CompletableFuture.completedFuture(new BeatOutcome.Heard());
    }

    @Override
    public int count() {
        return count;
    }

    /** Ends all of them, and lets none begin any more. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(
                () -> {
                    closed = true;
                    List.copyOf(sessions).forEach(session -> session.end(SessionEndReason.SHUTDOWN));
                },
                engineContext.loop());
    }
}
