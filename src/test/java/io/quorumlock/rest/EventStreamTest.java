package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.events.LockEvent;
import io.quorumlock.events.LockWatch;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RealLoop;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stream on a real socket. */
class EventStreamTest {
    /** More than any socket keeps. */
    private static final int MANY = 200_000;

    private static final Duration NEVER = Duration.ofHours(1);
    private static final LockEvent CHANGE = new LockEvent(
            LockEvent.Kind.ACQUIRED,
            new ResourceName("x".repeat(500)),
            Optional.empty(),
            new FencingToken(1),
            Duration.ofSeconds(1),
            Instant.EPOCH);

    private final RealLoop loop = new RealLoop();
    private final AnswerWriter writer = ContractJson.writer();
    private final CompletableFuture<LockWatch.Listener> engine = new CompletableFuture<>();
    private final CompletableFuture<Boolean> cut = new CompletableFuture<>();
    private final CompletableFuture<Void> unwatched = new CompletableFuture<>();

    @AfterEach
    void stop() {
        loop.close();
    }

    /** R14: it is not waited for, and nothing is kept for it without a bound. */
    @Test
    void aReaderThatStopsReadingIsCutOff() {
        try (EventReader reader = new EventReader(serve(), "/")) {
            reader.nextStarting(": hints");
            LockWatch.Listener stream = RealLoop.await(engine);
            for (int i = 0; i < MANY && !cut.isDone(); i++) {
                stream.changed(CHANGE);
            }
            assertTrue(RealLoop.await(cut));
            RealLoop.await(unwatched);
        }
    }

    @Test
    void aReaderIsToldThatItMissedSomething() {
        try (EventReader reader = new EventReader(serve(), "/")) {
            RealLoop.await(engine).missed(new LockWatch.Gap(Instant.EPOCH, Instant.EPOCH.plusSeconds(3)));
            assertEquals(
                    "{\"kind\":\"gap\",\"since\":\"1970-01-01T00:00:00Z\",\"at\":\"1970-01-01T00:00:03Z\"}",
                    reader.data("gap"));
        }
    }

    @Test
    void aReaderThatHangsUpIsForgotten() {
        try (EventReader reader = new EventReader(serve(), "/")) {
            reader.nextStarting(": hints");
        }
        assertTrue(!RealLoop.await(cut));
        RealLoop.await(unwatched);
    }

    private URI serve() {
        LockWatch source = listener -> {
            engine.complete(listener);
            return () -> unwatched.complete(null);
        };
        return loop.serve(context -> new EventStream(
                        context, writer, new EventFilter(any -> true, () -> {}), (stream, how) -> cut.complete(how))
                .begin(source, NEVER));
    }
}
