package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Release;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.RealLoop;
import java.net.URI;
import java.time.Clock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From a request to its answer, on a real socket. */
class ExchangesTest {
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
