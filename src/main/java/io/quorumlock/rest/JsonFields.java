package io.quorumlock.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactory.Feature;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads the fields of a body: one flat object of JSON and nothing beside it. */
final class JsonFields {
    private static final String BODY = "body";

    /** Strict by default. Names of strangers are not kept, and long numbers are the field's own affair. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(Feature.INTERN_FIELD_NAMES)
            .disable(Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(RequestBody.MOST_BYTES)
                    .maxStringLength(RequestBody.MOST_BYTES)
                    .build())
            .build();

    private JsonFields() {}

    /** Reads {@code body} into {@code fields}; an empty one has none. */
    static void read(byte[] body, Fields fields) {
        if (body.length == 0) {
            return;
        }
        try (JsonParser parser = JSON.createParser(PercentEncoding.utf8(body))) {
            readAll(parser, fields);
        } catch (IllegalArgumentException e) {
            fields.refuse(BODY, e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readAll(JsonParser parser, Fields fields) throws IOException {
        try {
            readObject(parser, fields);
        } catch (JsonProcessingException e) {
            // Not its message, which repeats what was sent: a token may be in it.
            long offset = parser.currentLocation().getCharOffset();
            fields.refuse(BODY, "must be valid JSON; it is not at character " + offset);
        }
    }

    private static void readObject(JsonParser parser, Fields fields) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException("must be one JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            fields.add(name, value(parser));
        }
        if (parser.nextToken() != null) {
            throw new IllegalArgumentException("must be one JSON object and nothing after it");
        }
    }

    private static Given value(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_STRING) {
            return new Given(Given.Source.BODY, Given.Kind.STRING, parser.getText());
        }
        if (token == JsonToken.VALUE_NUMBER_INT) {
            return new Given(Given.Source.BODY, Given.Kind.WHOLE_NUMBER, parser.getText());
        }
        if (token != null && token.isBoolean()) {
            return new Given(Given.Source.BODY, Given.Kind.BOOLEAN, parser.getText());
        }
        parser.skipChildren();
        return new Given(Given.Source.BODY, Given.Kind.OTHER, "");
    }
}
