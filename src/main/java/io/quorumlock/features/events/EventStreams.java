// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.features.events.EventBody.GapBody;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.EventStream;
import io.quorumlock.http.EventStream.SentEvent;
import io.quorumlock.http.OpenRequests;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.ProblemType;
import io.quorumlock.http.Problems;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Opens streams of lock events, as many as are allowed. */
@Singleton
final class EventStreams implements OpenRequests {

    @Produces
    @Singleton
    static final ProblemType TOO_MANY_STREAMS = new ProblemType(
            "too-many-streams",
            429,
            "Too many event streams",
            "The number of event streams of a replica is limited. Retry after Retry-After seconds, or on"
                    + " another replica.");

    private static final int MAX_WAITING = 256;
    private static final SentEvent GREETING =
            SentEvent.comment("hints, not facts: events may be late, missing or wrong");
    private static final SentEvent HEARTBEAT = SentEvent.comment("nothing happened");
    private static final SentEvent END = SentEvent.of("end", Map.of());

    private final LockWatch watch;
    /** The maximum number of streams (R14). */
    private final int most;

    private final Duration heartbeat;
    private final Vertx vertx;
    private final Set<MultiEmitter<? super SentEvent>> clients = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    final Counter cut;

    /**
     * @param heartbeat interval of the heartbeats in a stream without events
     */
    EventStreams(
            LockWatch watch,
            EventsConfig config,
            @ConfigProperty(name = "quorumlock.events.heartbeat") Duration heartbeat,
            Vertx vertx,
            MeterRegistry registry) {
        this.watch = watch;
        this.most = config.streamsMax();
        this.heartbeat = heartbeat;
        this.vertx = vertx;
        Gauge.builder("quorumlock.event.streams", this, EventStreams::open)
                .description("Open event streams on this replica")
                .register(registry);
        this.cut = Counter.builder("quorumlock.event.streams.cut")
                .description("Event streams closed because the client read too slowly")
                .register(registry);
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
        if (clients.size() >= most) {
            throw new ProblemException(Problems.tooManyStreams(TOO_MANY_STREAMS, most));
        }
        return Answer.of(
                new EventStream(EventStream.from(client -> begin(client, access, resources, accessCheck), MAX_WAITING)
                        .onFailure(BackPressureFailure.class)
                        .invoke(() -> cut.increment())));
    }

    private void begin(
            MultiEmitter<? super SentEvent> client,
            Access access,
            Predicate<ResourceName> resources,
            Runnable accessCheck) {
        Runnable leave = access.enterStream(TOO_MANY_STREAMS);
        clients.add(client);
        client.emit(GREETING);
        Runnable registration = watch.watch(resources, new Listener(client));
        long timer = vertx.setPeriodic(heartbeat.toMillis(), due -> beat(client, accessCheck));
        client.onTermination(() -> {
            leave.run();
            clients.remove(client);
            registration.run();
            vertx.cancelTimer(timer);
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

    int open() {
        return clients.size();
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
