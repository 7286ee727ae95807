// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * The reader of {@link RequestParameters}. Merges header, query and JSON body, because the contract accepts each
 * parameter in any of them. In a query "+" is a plus and a space is %20, as in a path.
 */
@Provider
@Singleton
public final class ParametersReader implements ServerMessageBodyReader<RequestParameters> {
    private static final String BODY = "body";
    private static final String TOKEN = "token";
    private static final String TOKEN_HEADER = "Lock-Token";

    private final ObjectMapper json;

    /** Without shared field names: names with equal hashes would make the parser reject the bodies of other clients. */
    ParametersReader(ObjectMapper json) {
        this.json = json.copyWith(JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
    }

    @Override
    public boolean isReadable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo method, MediaType mediaType) {
        return type == RequestParameters.class;
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == RequestParameters.class;
    }

    @Override
    public RequestParameters readFrom(
            Class<RequestParameters> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        HttpServerRequest request = ((ResteasyReactiveRequestContext) context).unwrap(HttpServerRequest.class);
        RequestParameters parameters = new RequestParameters();
        if (request.method() != HttpMethod.GET) {
            for (String token : request.headers().getAll(TOKEN_HEADER)) {
                parameters.add(TOKEN, ParameterValue.untyped(ParameterValue.Source.HEADER, token));
            }
        }
        readQuery(request.query(), parameters);
        readBody(context.getInputStream().readAllBytes(), parameters);
        return parameters;
    }

    @Override
    public RequestParameters readFrom(
            Class<RequestParameters> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body) {
        throw new UnsupportedOperationException("cannot read parameters without the HTTP request");
    }

    /** @param query as it came on the wire; null if the request has none */
    static void readQuery(String query, RequestParameters parameters) {
        if (query == null) {
            return;
        }
        int start = 0;
        while (start < query.length()) {
            int end = query.indexOf('&', start);
            if (end < 0) {
                end = query.length();
            }
            if (end > start) {
                readPair(query.substring(start, end), parameters);
            }
            start = end + 1;
        }
    }

    private static void readPair(String pair, RequestParameters parameters) {
        int equals = pair.indexOf('=');
        String name = "query";
        try {
            name = PercentEncoding.decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : PercentEncoding.decode(pair.substring(equals + 1));
            parameters.add(name, ParameterValue.untyped(ParameterValue.Source.QUERY, value));
        } catch (IllegalArgumentException e) {
            parameters.reject(name, e.getMessage());
        }
    }

    void readBody(byte[] body, RequestParameters parameters) {
        if (body.length == 0) {
            return;
        }
        try {
            JsonNode object = json.readTree(PercentEncoding.utf8(body));
            if (!object.isObject()) {
                parameters.reject(BODY, "must be one JSON object");
                return;
            }
            object.properties()
                    .forEach(field -> parameters.add(field.getKey(), ParameterValue.ofJson(field.getValue())));
        } catch (IllegalArgumentException e) {
            parameters.reject(BODY, e.getMessage());
        } catch (JsonProcessingException e) {
            // The message of the exception repeats the body, which may contain a token.
            long offset = e.getLocation() == null ? 0 : e.getLocation().getCharOffset();
            parameters.reject(
                    BODY, "must be one JSON object without repeated fields; the error is at character " + offset);
        }
    }
}
