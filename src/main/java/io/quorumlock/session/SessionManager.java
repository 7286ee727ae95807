// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.SessionTerms;
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
 * The sessions of this replica.
 *
 * <p>Thread-safe. All state is confined to the event loop, which must be the engine's.
 */
public final class SessionManager implements Sessions {
    private final Heartbeats heartbeats;
    private final Bounds bounds;
    private final EngineContext engineContext;
    private final SessionListener listener;
    private final HeldSession.Context context;
    private final Handovers handovers;
    private final Set<HeldSession> sessions = new LinkedHashSet<>();
    private final Map<Key, HeldSession> begun = new HashMap<>();
    private volatile int count;
    private boolean closed;

    /** The identity of a client's session. Two sessions with the same key belong to the same client. */
    record Key(ResourceName resource, LeaseToken token) {}

    public SessionManager(
            LockEngine engine,
            Heartbeats heartbeats,
            Bounds bounds,
            EngineContext engineContext,
            SessionListener listener) {
        this.heartbeats = heartbeats;
        this.bounds = bounds;
        this.engineContext = engineContext;
        this.listener = listener;
        this.handovers = new Handovers(engine, engineContext.loop());
        this.context = new HeldSession.Context(
                engine, heartbeats, engineContext, bounds.longest(), new HeldSession.Registry() {
                    @Override
                    public void begun(HeldSession session, Key key) {
                        session.chosenKey().ifPresent(handovers::acquired);
                        replace(session, key);
                    }

                    @Override
                    public void abandoned(HeldSession session) {
                        if (sessions.contains(session)) {
                            forget(session);
                            session.chosenKey().ifPresent(handovers::abandoned);
                        }
                    }

                    @Override
                    public void release(Key key) {
                        handovers.release(key);
                    }

                    @Override
                    public void ended(HeldSession session, Key key, SessionEndReason why) {
                        begun.remove(key, session);
                        forget(session);
                        SessionManager.this.listener.ended(why);
                    }
                });
    }

    @Override
    public CompletableFuture<Opening> open(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> listener) {
        HeldSession session = new HeldSession(resource, terms, listener, context);
        LoopCalls.run(engineContext.loop(), started -> start(session)).exceptionally(bug -> {
            session.fail(bug);
            return null;
        });
        return session.opening();
    }

    private void start(HeldSession session) {
        if (closed) {
            session.refuse(new Opening.Refused(new Acquisition.ShuttingDown()));
        } else if (sessions.size() >= bounds.most()) {
            session.refuse(new Opening.TooManySessions(bounds.most()));
        } else {
            sessions.add(session);
            count = sessions.size();
            session.chosenKey().ifPresentOrElse(key -> handovers.acquire(key, session::acquire), session::acquire);
        }
    }

    /** A client that reconnects with its token has lost its earlier connection, even if the socket is still open. */
    private void replace(HeldSession session, Key key) {
        HeldSession before = begun.put(key, session);
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
                        engineContext.loop(), answer -> answer.complete(heartbeat(resource, token)))
                .thenCompose(Function.identity());
    }

    private CompletableFuture<BeatOutcome> heartbeat(ResourceName resource, LeaseToken token) {
        HeldSession here = begun.get(new Key(resource, token));
        if (here == null) {
            return heartbeats.send(resource, token);
        }
        here.heartbeat();
        return CompletableFuture.completedFuture(new BeatOutcome.Heard());
    }

    @Override
    public int count() {
        return count;
    }

    /** Ends all sessions, and rejects new ones. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(
                () -> {
                    closed = true;
                    List.copyOf(sessions).forEach(session -> session.end(SessionEndReason.SHUTDOWN));
                },
                engineContext.loop());
    }

    /** A listener for sessions, for metrics. */
    @FunctionalInterface
    public interface SessionListener {

        /** Called at the end of a session that had its lease. */
        void ended(SessionEndReason why);
    }
}
