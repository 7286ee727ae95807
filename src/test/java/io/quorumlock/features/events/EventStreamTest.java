// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.AnswerWriter;
import io.quorumlock.http.ContractJson;
import io.quorumlock.http.EventStream;
import io.quorumlock.http.RawHttp;
import io.quorumlock.http.RawRequest;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream on a real socket. */
class EventStreamTest {
    /** More than any socket keeps. */
    private static final int MANY = 200_000;

    private static final int MAX_WAITING = 256;
    private static final int REFUSALS = 20_000;
    private static final int LATEST = 64;
    private static final Duration NEVER = Duration.ofHours(1);

    private final RealLoop loop = new RealLoop();
    private final AnswerWriter writer = ContractJson.writer();
    private final CompletableFuture<LockWatch.Listener> engine = new CompletableFuture<>();
    private final CompletableFuture<Void> unwatched = new CompletableFuture<>();
    private final EventStreams streams =
            new EventStreams(this::watch, () -> 1, NEVER, loop.vertx, new SimpleMeterRegistry());
    private final Access access =
            new Access(Authenticator.off(loop.engineContext.clock()).anonymous(), reason -> {});
    private final URI service = loop.serve(this::answer);

    @AfterEach
    void stop() {
        loop.close();
    }

    /** R14: it is not waited for, and nothing is kept for it without a bound. */
    @Test
    void disconnectsReaderThatStops() {
        try (EventReader reader = new EventReader(service, "/events")) {
            reader.nextStarting(": hints");
            LockWatch.Listener stream = RealLoop.await(engine);
            for (int i = 0; i < MANY && !unwatched.isDone(); i++) {
                stream.changed(change(i));
                if (i % MAX_WAITING == 0) {
                    letLoopWrite();
                }
            }
            assertTrue(unwatched.isDone());
            Eventually.holds("cut", () -> streams.cut.count() == 1);
            assertEquals(0, streams.open());
        }
    }

    @Test
    void deliversBurstInOrder() {
        try (EventReader reader = new EventReader(service, "/events")) {
            reader.nextStarting(": hints");
            LockWatch.Listener stream = RealLoop.await(engine);
            for (int i = 0; i < MAX_WAITING; i++) {
                stream.changed(change(i));
            }
            for (int i = 0; i < MAX_WAITING; i++) {
                assertEquals("id: " + (i + 1) + "-acquired-" + (i + 1), reader.nextStarting("id: "));
            }
            assertFalse(unwatched.isDone());
        }
    }

    @Test
    void reportsMissedEvents() {
        try (EventReader reader = new EventReader(service, "/events")) {
            RealLoop.await(engine).missed(new LockWatch.Gap(Instant.EPOCH, Instant.EPOCH.plusSeconds(3)));
            assertEquals(
                    "{\"kind\":\"gap\",\"since\":\"1970-01-01T00:00:00.000Z\",\"at\":\"1970-01-01T00:00:03.000Z\"}",
                    reader.data("gap"));
        }
    }

    @Test
    void forgetsDisconnectedReader() {
        try (EventReader reader = new EventReader(service, "/events")) {
            reader.nextStarting(": hints");
        }
        RealLoop.await(unwatched);
        assertEquals(0, streams.open());
        assertEquals(0, streams.cut.count());
    }

    /** The engine refuses while the loop of the connection asks for the first event, a little later each time. */
    @Test
    void endsEachRefusedStreamWithFailure() throws InterruptedException {
        AtomicReference<MultiEmitter<?>> request = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        RuntimeException refusal = new IllegalStateException("refused");
        Thread engineThread = new Thread(() -> {
            for (int i = 0; !over.get(); ) {
                MultiEmitter<?> stream = request.getAndSet(null);
                if (stream != null) {
                    for (int later = i++ % LATEST; later > 0; later--) {
                        Thread.onSpinWait();
                    }
                    stream.fail(refusal);
                }
            }
        });
        engineThread.start();
        Context connection = loop.vertx.getOrCreateContext();
        for (int i = 0; i < REFUSALS; i++) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            connection.runOnContext(turn -> {
                List<MultiEmitter<?>> opened = new ArrayList<>();
                EventStream.from(opened::add, 1).subscribe().with(event -> {}, end::complete, () -> end.complete(null));
                request.set(opened.get(0));
            });
            assertSame(refusal, RealLoop.await(end), "after " + i);
        }
        over.set(true);
        engineThread.join();
    }

    /** All connections have the same event loop. */
    private void letLoopWrite() {
        assertEquals(204, new RawHttp(service).send(RawRequest.get("/")).status());
    }

    private Runnable watch(Predicate<ResourceName> resources, LockWatch.Listener listener) {
        engine.complete(listener);
        return () -> unwatched.complete(null);
    }

    private void answer(RoutingContext context) {
        boolean isStream = context.request().path().equals("/events");
        writer.write(isStream ? streams.open(access, any -> true, () -> {}) : Answer.empty(204), context);
    }

    private static LockEvent change(int number) {
        return new LockEvent(
                LockEventKind.ACQUIRED,
                new ResourceName("x".repeat(500)),
                Optional.empty(),
                new FencingToken(number + 1),
                Duration.ofSeconds(1),
                LockKind.EXCLUSIVE,
                Optional.empty(),
                Instant.EPOCH);
    }
}
