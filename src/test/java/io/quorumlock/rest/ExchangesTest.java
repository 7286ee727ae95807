package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Release;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RealLoop;
import java.net.URI;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From a request to its answer, on a real socket. */
class ExchangesTest {
    private static final int MORE_THAN_SOCKETS_KEEP = 20_000_000;

    private final RealLoop loop = new RealLoop();
    private final Exchanges exchanges = new Exchanges(new AnswerWriter(), new ProblemMapper(Clock.systemUTC()));
    private final CompletableFuture<Release> engines = new CompletableFuture<>();
    private final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final URI service = loop.serve(context -> exchanges.read(context, body -> {
        exchanges.answer(context, engines, outcome -> Answer.empty(204));
        asked.complete(null);
    }));

    @AfterEach
    void stop() {
        loop.close();
    }

    /** R11 */
    @Test
    void aClientThatHangsUpCancelsTheEnginesCall() {
        EventReader client = new EventReader(service, "/");
        RealLoop.await(asked);
        client.close();
        assertThrows(CancellationException.class, () -> RealLoop.await(engines));
    }

    /** R11: what was written in part was not heard, and what the client got to the end was. */
    @Test
    void whoHangsUpHalfWayThroughTheAnswerHasNotHeardIt() {
        CompletableFuture<String> unheard = new CompletableFuture<>();
        CompletableFuture<String> outcome = CompletableFuture.completedFuture("x".repeat(MORE_THAN_SOCKETS_KEEP));
        URI wordy = loop.serve(context -> exchanges.read(
                context, body -> exchanges.answer(context, outcome, said -> Answer.of(200, said), unheard::complete)));
        try (EventReader client = new EventReader(wordy, "/")) {
            client.nextStarting("HTTP/1.1 200 OK");
            assertTrue(!unheard.isDone());
        }
        assertEquals(outcome.join(), RealLoop.await(unheard));
    }

    /** R11: the engine has spoken, and then the connection ends. */
    @Test
    void whoHangsUpBeforeTheAnswerIsWrittenHasNotHeardIt() {
        CompletableFuture<String> unheard = new CompletableFuture<>();
        CompletableFuture<String> outcome = CompletableFuture.completedFuture("too late");
        URI slow = loop.serve(context -> {
            context.response()
                    .closeHandler(gone ->
                            exchanges.answer(context, outcome, said -> Answer.of(200, said), unheard::complete));
            asked.complete(null);
        });
        EventReader client = new EventReader(slow, "/");
        RealLoop.await(asked);
        client.close();
        assertEquals("too late", RealLoop.await(unheard));
    }

    @Test
    void whoReadsTheAnswerHasHeardIt() {
        Queue<String> unheard = new ConcurrentLinkedQueue<>();
        CompletableFuture<String> outcome = CompletableFuture.completedFuture("heard");
        URI terse = loop.serve(context -> exchanges.read(
                context, body -> exchanges.answer(context, outcome, said -> Answer.of(200, said), unheard::add)));
        assertEquals("\"heard\"", new RawHttp(terse).send(RawRequest.get("/")).body());
        assertEquals(200, new RawHttp(terse).send(RawRequest.get("/")).status());
        assertTrue(unheard.isEmpty());
    }

    @Test
    void whatTheEngineSaysIsAnswered() {
        engines.complete(new Release.Released());
        assertEquals(204, new RawHttp(service).send(RawRequest.get("/")).status());
        assertTrue(!engines.isCancelled());
    }

    @Test
    void aBugOfTheEngineIsAnswered() {
        engines.completeExceptionally(new IllegalStateException("a-secret"));
        RawAnswer answer = new RawHttp(service).send(RawRequest.get("/"));
        assertEquals("internal-error", answer.slug());
        assertTrue(!answer.body().contains("a-secret"), answer::body);
    }

    @Test
    void aBugBeforeTheEngineIsAskedIsAnswered() {
        URI broken = loop.serve(context -> exchanges.read(context, body -> {
            throw new IllegalStateException("a-secret");
        }));
        RawAnswer answer = new RawHttp(broken).send(RawRequest.post("/").json("{}"));
        assertEquals("internal-error", answer.slug());
    }
}
