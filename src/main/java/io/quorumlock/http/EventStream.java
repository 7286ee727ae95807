// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The body of an answer that is a stream of server-sent events. {@link AnswerWriter} subscribes to it, and cancels it when the
 * client disconnects.
 *
 * @param events a failure before the first event becomes the answer
 */
public record EventStream(Multi<SentEvent> events) {
    static final String CONTENT_TYPE = "text/event-stream";

    /** Events that the event loop of the connection takes over at once. */
    private static final int BATCH = 8;

    /**
     * Returns the events of a source, on the event loop of the caller.
     *
     * @param source called on subscription with an emitter for any thread
     * @param maxWaiting maximum number of events that wait for the client (R14). With more, the stream fails with a
     *     {@link io.smallrye.mutiny.subscription.BackPressureFailure}
     */
    public static Multi<SentEvent> from(Consumer<MultiEmitter<? super SentEvent>> source, int maxWaiting) {
        Context loop = Vertx.currentContext();
        return Multi.createFrom()
                .emitter(source)
                .onOverflow()
                .buffer(maxWaiting)
                .map(event -> Uni.createFrom().item(event))
                // As an item, except for a client that reads too slowly: emitOn is done a moment before it has
                // its failure, and would end a refused stream as an empty one.
                .onFailure(failure -> !(failure instanceof BackPressureFailure))
                .recoverWithItem(failure -> Uni.createFrom().failure(failure))
                .emitOn(task -> loop.runOnContext(turn -> task.run()), BATCH)
                .onItem()
                .transformToUniAndConcatenate(event -> event);
    }

    /**
     * A server-sent event or a comment.
     *
     * @param fields the lines before the data
     * @param data written as JSON
     */
    public record SentEvent(String fields, Optional<Object> data) {
        public static SentEvent comment(String text) {
            return new SentEvent(": " + text, Optional.empty());
        }

        public static SentEvent of(String name, Object data) {
            return new SentEvent("event: " + name, Optional.of(data));
        }

        public static SentEvent of(String id, String name, Object data) {
            return new SentEvent("id: " + id + "\nevent: " + name, Optional.of(data));
        }
    }
}
