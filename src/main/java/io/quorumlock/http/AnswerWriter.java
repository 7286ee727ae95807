// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.http.EventStream.SentEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureFailure;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The writer of an {@link Answer}: status, headers and body in one step, within the REST layer and before it. */
@jakarta.ws.rs.ext.Provider
@Singleton
public final class AnswerWriter implements ServerMessageBodyWriter<Answer> {
    /** Ends every document, so that the prompt of a terminal begins a line. */
    private static final byte NEWLINE = '\n';

    private final ObjectWriter json;
    private final ProblemMappers problems;
    /** The framework creates writers before it reads the settings of features. */
    private final Provider<Routes> routes;

    private final MonotonicClock clock;

    AnswerWriter(ObjectMapper json, ProblemMappers problems, Provider<Routes> routes, MonotonicClock clock) {
        // Other characters are written as they are, so that names can be searched for in answers.
        this.json = json.writer().with(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
        this.problems = problems;
        this.routes = routes;
        this.clock = clock;
    }

    @Override
    public boolean isWriteable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return type == Answer.class;
    }

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == Answer.class;
    }

    @Override
    public void writeResponse(Answer answer, Type genericType, ServerRequestContext context) {
        // The framework would set its own status and content type.
        context.serverResponse().setPreCommitListener(null);
        write(answer, ((ResteasyReactiveRequestContext) context).unwrap(RoutingContext.class));
    }

    @Override
    public void writeTo(
            Answer answer,
            Class<?> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, Object> headers,
            OutputStream body)
            throws IOException {
        throw new UnsupportedOperationException("cannot write an answer without the HTTP response");
    }

    /** Writes the answer or starts its stream. */
    public void write(Answer answer, RoutingContext context) {
        UnreadBody.discard(context.request(), clock);
        Object body = answer.body().orElse(null);
        if (body instanceof EventStream stream) {
            write(answer, stream, context);
        } else if (body instanceof Problem problem) {
            write(answer.with(routes.get().of(context).errors().apply(problem)), context.response());
        } else {
            write(answer, context.response());
        }
    }

    /**
     * Writes the answer, unless the response has begun. A completed write does not prove that the client received it.
     */
    void write(Answer answer, HttpServerResponse response) {
        Future<Void> written = response.ended() || response.headWritten() || response.closed()
                ? Future.failedFuture("the response has ended")
                : end(answer, response);
        answer.undelivered().ifPresent(action -> written.onFailure(cause -> action.run()));
    }

    private Future<Void> end(Answer answer, HttpServerResponse response) {
        setHead(answer, response);
        return answer.body().isPresent()
                ? response.end(Buffer.buffer(bytes(answer.body().get())).appendByte(NEWLINE))
                : response.end();
    }

    private static void setHead(Answer answer, HttpServerResponse response) {
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isPresent()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
        }
    }

    /**
     * Writes the events of a stream one after the other, until the stream ends or the client disconnects. The status is written
     * with the first event, because the stream may fail before it.
     */
    private void write(Answer answer, EventStream stream, RoutingContext context) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        stream.events()
                .onSubscription()
                .invoke(subscription -> context.addEndHandler(ended -> {
                    if (!response.headWritten()) {
                        answer.undelivered().ifPresent(Runnable::run);
                    }
                    subscription.cancel();
                }))
                .onItem()
                .transformToUniAndConcatenate(event -> Uni.createFrom()
                        .completionStage(() -> write(answer, event, response).toCompletionStage()))
                .subscribe()
                .with(written -> {}, failure -> fail(failure, response), response::end);
    }

    /** A failed write is followed by the end of the connection, which cancels the stream. */
    private Future<Void> write(Answer answer, SentEvent event, HttpServerResponse response) {
        boolean first = !response.headWritten();
        if (first) {
            setHead(answer, response);
            response.setChunked(true);
        }
        String data = event.data()
                .map(body -> "data: " + new String(bytes(body), StandardCharsets.UTF_8) + "\n")
                .orElse("");
        Future<Void> written = response.write(event.fields() + "\n" + data + "\n");
        if (first) {
            answer.undelivered().ifPresent(action -> written.onFailure(cause -> action.run()));
        }
        return written.otherwiseEmpty();
    }

    /** Disconnects a client that reads too slowly, and reports bugs. */
    private void fail(Throwable failure, HttpServerResponse response) {
        if (failure instanceof BackPressureFailure) {
            response.reset();
            return;
        }
        Answer answer = problems.answer(failure);
        if (response.headWritten()) {
            response.reset();
        } else {
            write(answer, response);
        }
    }

    byte[] bytes(Object body) {
        try {
            return json.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
