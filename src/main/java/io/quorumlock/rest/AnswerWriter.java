package io.quorumlock.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;

/** Writes answers. */
@Singleton
final class AnswerWriter {
    private static final ObjectWriter JSON = new ObjectMapper()
            .registerModule(new Jdk8Module())
            .writer()
            .with(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8);

    /**
     * Sends the answer, unless another was begun.
     *
     * @return fails if it did not leave as a whole; that it left does not mean that it arrives
     */
    Future<Void> write(Answer answer, RoutingContext context) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.headWritten() || response.closed()) {
            return Future.failedFuture("nobody waits for an answer");
        }
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
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
