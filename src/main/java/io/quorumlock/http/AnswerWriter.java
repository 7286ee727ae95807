package io.quorumlock.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.UncheckedIOException;

/** Writes answers, for resources and for what stands before and behind them. */
@Singleton
final class AnswerWriter {
    private final ObjectWriter json;

    AnswerWriter(ObjectMapper json) {
        this.json = json.writer().with(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8);
    }

    /** Hands the answer to the framework. */
    Response toResponse(Answer answer) {
        Response.ResponseBuilder response = Response.status(answer.status());
        answer.headers().forEach(response::header);
        answer.body().ifPresent(body -> response.header(HttpHeaders.CONTENT_TYPE, answer.contentType())
                .entity(bytes(body)));
        return response.build();
    }

    /** Sends the answer, unless another was begun. */
    void write(Answer answer, RoutingContext context) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.headWritten() || response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isPresent()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
            response.end(Buffer.buffer(bytes(answer.body().get())));
        } else {
            response.end();
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
