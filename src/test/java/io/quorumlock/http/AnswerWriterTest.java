// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.http.EventStream.SentEvent;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.smallrye.mutiny.Multi;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R11: reports of answers that a client cannot have read, on real sockets. */
@Proves("R11")
class AnswerWriterTest {
    private static final int MORE_THAN_SOCKET_BUFFERS = 20_000_000;

    private final RealLoop loop = new RealLoop();
    private final AnswerWriter writer = ContractJson.writer();
    private final CompletableFuture<Void> undelivered = new CompletableFuture<>();

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void reportsPartlyWrittenAnswer() {
        URI service =
                loop.serve(context -> writer.write(answer("x".repeat(MORE_THAN_SOCKET_BUFFERS)), context.response()));
        try (EventReader client = new EventReader(service, "/")) {
            client.nextStarting("HTTP/1.1 200 OK");
            assertFalse(undelivered.isDone());
        }
        RealLoop.await(undelivered);
    }

    @Test
    void reportsAnswerToClosedConnection() {
        CompletableFuture<Void> requested = new CompletableFuture<>();
        URI service = loop.serve(context -> {
            context.response().closeHandler(gone -> writer.write(answer("too late"), context.response()));
            requested.complete(null);
        });
        EventReader client = new EventReader(service, "/");
        RealLoop.await(requested);
        client.close();
        RealLoop.await(undelivered);
    }

    @Test
    void doesNotReportDeliveredAnswer() {
        URI service = loop.serve(context -> writer.write(answer("delivered"), context.response()));
        assertEquals(
                "\"delivered\"\n",
                new RawHttp(service).send(RawRequest.get("/")).body());
        assertEquals(200, new RawHttp(service).send(RawRequest.get("/")).status());
        assertFalse(undelivered.isDone());
    }

    @Test
    void reportsStreamWhoseConnectionEndsBeforeItsFirstEvent() {
        CompletableFuture<Void> subscribed = new CompletableFuture<>();
        Multi<SentEvent> silent =
                Multi.createFrom().<SentEvent>nothing().onSubscription().invoke(() -> subscribed.complete(null));
        URI service = loop.serve(context -> writer.write(stream(silent), context));
        EventReader client = new EventReader(service, "/");
        RealLoop.await(subscribed);
        assertFalse(undelivered.isDone());
        client.close();
        RealLoop.await(undelivered);
    }

    @Test
    void reportsPartlyWrittenFirstEvent() {
        SentEvent first = SentEvent.comment("x".repeat(MORE_THAN_SOCKET_BUFFERS));
        URI service =
                loop.serve(context -> writer.write(stream(Multi.createFrom().item(first)), context));
        try (EventReader client = new EventReader(service, "/")) {
            client.nextStarting("HTTP/1.1 200 OK");
            assertFalse(undelivered.isDone());
        }
        RealLoop.await(undelivered);
    }

    @Test
    void doesNotReportStreamThatHasBegun() {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        Multi<SentEvent> one = Multi.createBy()
                .concatenating()
                .streams(
                        Multi.createFrom().item(SentEvent.comment("first")),
                        Multi.createFrom().nothing())
                .onCancellation()
                .invoke(() -> cancelled.complete(null));
        URI service = loop.serve(context -> writer.write(stream(one), context));
        try (EventReader client = new EventReader(service, "/")) {
            client.nextStarting(": first");
        }
        RealLoop.await(cancelled);
        assertFalse(undelivered.isDone());
    }

    private Answer stream(Multi<SentEvent> events) {
        return Answer.of(new EventStream(events)).ifUndelivered(() -> undelivered.complete(null));
    }

    private Answer answer(String body) {
        return Answer.of(200, body).ifUndelivered(() -> undelivered.complete(null));
    }
}
