// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.events.LockWatch;
import io.quorumlock.events.LockWatch.LockEvent;
import io.quorumlock.events.OpenStreams;
import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.EventBody.GapBody;
import io.quorumlock.rest.EventStream.SentEvent;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Opens streams of lock events, as many as are allowed. */
@Singleton
final class EventStreams implements OpenStreams {
    private static final int MAX_WAITING = 256;
    private static final SentEvent GREETING =
            SentEvent.comment("hints, not facts: events may be late, missing or wrong");
    private static final SentEvent HEARTBEAT = SentEvent.comment("nothing happened");
    private static final SentEvent END = SentEvent.of("end", Map.of());

    private final LockWatch watch;
    private final StreamLimits limits;
    private final Vertx vertx;
    private final Set<MultiEmitter<? super SentEvent>> clients = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong();
    private volatile boolean closed;

    EventStreams(LockWatch watch, StreamLimits limits, Vertx vertx) {
        this.watch = watch;
        this.limits = limits;
        this.vertx = vertx;
    }

    /**
     * Opens a stream of the events of some resources.
     *
     * @param accessCheck throws a {@link ProblemException} if the client may not read the events; repeated with each heartbeat
     */
    Answer open(Access access, Predicate<ResourceName> resources, Runnable accessCheck) {
        accessCheck.run();
        if (closed) {
            throw new ProblemException(Problems.shuttingDown("No stream was opened."));
        }
        if (clients.size() >= limits.most()) {
            throw new ProblemException(Problems.tooManyStreams(ProblemType.TOO_MANY_STREAMS, limits.most()));
        }
        return Answer.of(
                new EventStream(EventStream.from(client -> begin(client, access, resources, accessCheck), MAX_WAITING)
                        .onFailure(BackPressureFailure.class)
                        .invoke(cut::incrementAndGet)));
    }

    private void begin(
            MultiEmitter<? super SentEvent> client,
            Access access,
            Predicate<ResourceName> resources,
            Runnable accessCheck) {
        Runnable leave = access.enterStream(ProblemType.TOO_MANY_STREAMS);
        clients.add(client);
        client.emit(GREETING);
        LockWatch.Watch registration = watch.watch(resources, new Listener(client));
        long heartbeat = vertx.setPeriodic(limits.heartbeat().toMillis(), due -> beat(client, accessCheck));
        client.onTermination(() -> {
            leave.run();
            clients.remove(client);
            registration.end();
            vertx.cancelTimer(heartbeat);
        });
        if (closed) {
            // It was opened while all others were ended.
            end(client);
        }
    }

    /** Ends the stream of a client whose key was removed meanwhile. */
    private static void beat(MultiEmitter<? super SentEvent> client, Runnable accessCheck) {
        if (Access.passes(accessCheck)) {
            client.emit(HEARTBEAT);
        } else {
            end(client);
        }
    }

    private static void end(MultiEmitter<? super SentEvent> client) {
        client.emit(END).complete();
    }

    @Override
    public int open() {
        return clients.size();
    }

    @Override
    public long cut() {
        return cut.get();
    }

    @Override
    public void end() {
        closed = true;
        List.copyOf(clients).forEach(EventStreams::end);
    }

    /** Passes lock events on to one client. */
    private static final class Listener implements LockWatch.Listener {
        private final MultiEmitter<? super SentEvent> client;
        private long sent;

        private Listener(MultiEmitter<? super SentEvent> client) {
            this.client = client;
        }

        @Override
        public void changed(LockEvent change) {
            EventBody body = EventBody.of(change);
            sent++;
            client.emit(SentEvent.of(body.fencingToken() + "-" + body.kind() + "-" + sent, body.kind(), body));
        }

        @Override
        public void missed(LockWatch.Gap gap) {
            client.emit(SentEvent.of(GapBody.KIND, GapBody.of(gap)));
        }
    }
}
