package io.quorumlock.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The writer of an {@link Answer}: status, headers and body in one step, within the REST layer and before it. */
@Provider
@Singleton
public final class AnswerWriter implements ServerMessageBodyWriter<Answer> {
    private final ObjectWriter json;

    AnswerWriter(ObjectMapper json) {
        this.json = json.writer();
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
        write(answer, ((ResteasyReactiveRequestContext) context).unwrap(HttpServerResponse.class));
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
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isPresent()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
            return response.end(Buffer.buffer(bytes(answer.body().get())));
        }
        return response.end();
    }

    byte[] bytes(Object body) {
        try {
            return json.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
