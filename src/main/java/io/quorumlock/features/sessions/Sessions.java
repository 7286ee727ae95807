// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.http.OpenRequests;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.Problems;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The sessions of this replica: leases that it extends while their clients are connected.
 *
 * <p>Thread-safe. All state is confined to the event loop, which must be the engine's.
 */
@Singleton
public final class Sessions implements OpenRequests {
    private final LockEngine engine;
    private final int most;
    private final EngineContext engineContext;
    private final Consumer<SessionEndReason> listener;
    private final Set<Session> sessions = new LinkedHashSet<>();
    private volatile int count;
    private boolean closed;

    @Inject
    Sessions(LockEngine engine, SessionsConfig config, EngineContext engineContext, MeterRegistry registry) {
        this(engine, config.maxCount(), engineContext, counting(registry));
        Gauge.builder("quorumlock.sessions", this, Sessions::count)
                .description("Sessions on this replica, including those that wait for their lease")
                .register(registry);
    }

    /**
     * @param most maximum number of sessions (R14)
     * @param listener called at the end of a session that had its lease
     */
    public Sessions(LockEngine engine, int most, EngineContext engineContext, Consumer<SessionEndReason> listener) {
        this.engine = engine;
        this.most = most;
        this.engineContext = engineContext;
        this.listener = listener;
    }

    /** Registers all series before the first event, so that rates include it. */
    private static Consumer<SessionEndReason> counting(MeterRegistry registry) {
        Map<SessionEndReason, Counter> ends = new EnumMap<>(SessionEndReason.class);
        for (SessionEndReason reason : SessionEndReason.values()) {
            ends.put(
                    reason,
                    Counter.builder("quorumlock.sessions.ended")
                            .description("Ended sessions, by reason")
                            .tag("reason", reason.label())
                            .register(registry));
        }
        return reason -> ends.get(reason).increment();
    }

    /**
     * Acquires a lease and starts a session with it.
     *
     * @param terms the terms of the acquire; each extension uses the same TTL
     * @return ends the session, on any thread; has no effect after its end
     */
    public Consumer<SessionEndReason> open(ResourceName resource, AcquireTerms terms, SessionClient client) {
        Session session = new Session(resource, terms, client, engine, engineContext, this::ended);
        engineContext.loop().execute(() -> start(session, client));
        return why -> engineContext.loop().execute(() -> session.end(why));
    }

    private void start(Session session, SessionClient client) {
        if (closed) {
            client.refused(new Acquisition.ShuttingDown());
        } else if (sessions.size() >= most) {
            client.failed(new ProblemException(Problems.tooManyStreams(SessionStreams.TOO_MANY_SESSIONS, most)));
        } else {
            sessions.add(session);
            count = sessions.size();
            session.acquire();
        }
    }

    private void ended(Session session) {
        sessions.remove(session);
        count = sessions.size();
        session.reason().ifPresent(listener);
    }

    /** Returns the number of sessions on this replica, including those that wait for their lease. */
    public int count() {
        return count;
    }

    @Override
    public void end() {
        engineContext.loop().execute(() -> {
            closed = true;
            List.copyOf(sessions).forEach(session -> session.end(SessionEndReason.SHUTDOWN));
        });
    }
}
