// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * The reader of {@link RequestFields}. Puts the fields of the JSON body, the query and the header Lock-Token into one object,
 * which Jackson binds to the record. A field may be in one of these places only.
 */
@jakarta.ws.rs.ext.Provider
@Singleton
public final class RequestReader implements ServerMessageBodyReader<RequestFields> {
    private static final String BODY = "body";
    private static final String NO_OBJECT =
            "must be one JSON object, such as {\"ttlMs\":30000}; the query takes name=value";
    private static final String NAMES_FIELD = "names";
    private static final int LONGEST_NUMBER = 18;
    private static final Pattern WITH_UNIT = Pattern.compile("[0-9.]+[A-Za-z]+");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)");

    private final JsonMapper json;
    private final ClassValue<FieldsOfType> types = new ClassValue<>() {
        @Override
        protected FieldsOfType computeValue(Class<?> type) {
            return FieldsOfType.of(type, json);
        }
    };
    private final Provider<Limits> limits;

    /** @param limits not available yet when the framework creates the reader */
    RequestReader(Provider<Limits> limits) {
        // Without shared field names, because names with equal hashes would make the parser reject the bodies of
        // others.
        this.json = JsonMapper.builder(JsonFactory.builder()
                        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .addModule(new Jdk8Module())
                .addModule(new SimpleModule()
                        .addDeserializer(Long.class, new Field<>(RequestReader::wholeNumber))
                        .addDeserializer(Boolean.class, new Field<>(RequestReader::flag))
                        .addDeserializer(LeaseToken.class, text(LeaseToken::new))
                        .addDeserializer(Owner.class, text(Owner::new))
                        .addDeserializer(LockKind.class, text(AcquireRequest::mode))
                        .addDeserializer(ForceReason.class, text(ForceReason::new))
                        .addDeserializer(ResourceName.class, text(ResourceName::new))
                        .addDeserializer(ResourceNames.class, new NamesField())
                        .addDeserializer(ResourcePrefix.class, text(ResourcePrefix::new)))
                .build();
        this.limits = limits;
    }

    @Override
    public boolean isReadable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo method, MediaType mediaType) {
        return RequestFields.class.isAssignableFrom(type);
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return RequestFields.class.isAssignableFrom(type);
    }

    /** Calls with GET have a query and nothing else. */
    @Override
    public RequestFields readFrom(
            Class<RequestFields> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        HttpServerRequest request = ((ResteasyReactiveRequestContext) context).unwrap(HttpServerRequest.class);
        FieldErrors errors = new FieldErrors();
        ObjectNode fields = json.createObjectNode();
        if (request.method() != HttpMethod.GET) {
            addBody(BytesReader.body(context), fields, errors);
            request.headers().getAll("Lock-Token").forEach(token -> addText("token", token, fields, errors));
        }
        addQuery(request, fields, errors);
        return bind(type, fields, errors);
    }

    @Override
    public RequestFields readFrom(
            Class<RequestFields> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body) {
        throw new UnsupportedOperationException("cannot read fields without the HTTP request");
    }

    private static void addQuery(HttpServerRequest request, ObjectNode fields, FieldErrors errors) {
        if (request.query() == null) {
            return;
        }
        try {
            MultiMap query = request.params(true);
            query.names().forEach(name -> addQuery(name, query.getAll(name), fields, errors));
        } catch (IllegalArgumentException malformed) {
            errors.add("query", "must be percent-encoded");
        }
    }

    /** Only names may be repeated. */
    private static void addQuery(String name, List<String> values, ObjectNode fields, FieldErrors errors) {
        if (name.equals(NAMES_FIELD) && !fields.has(name)) {
            ArrayNode list = fields.putArray(name);
            values.forEach(list::addPOJO);
        } else {
            values.forEach(value -> addText(name, value, fields, errors));
        }
    }

    /** Adds text without a type, which converts to any. It is marked as an embedded value, which JSON does not have. */
    static void addText(String name, String text, ObjectNode fields, FieldErrors errors) {
        if (isMalformed(text)) {
            errors.add(name, "must be valid UTF-8");
        } else if (fields.has(name)) {
            errors.add(name, "must be given once, in the query, in the body or in a header");
        } else {
            fields.putPOJO(name, text);
        }
    }

    void addBody(byte[] body, ObjectNode fields, FieldErrors errors) {
        if (body.length == 0) {
            return;
        }
        String text = new String(body, StandardCharsets.UTF_8);
        try {
            if (isMalformed(text)) {
                errors.add(BODY, "must be valid UTF-8");
            } else if (json.readTree(text) instanceof ObjectNode object) {
                object.properties().forEach(field -> addValue(field.getKey(), field.getValue(), fields, errors));
            } else {
                errors.add(BODY, NO_OBJECT);
            }
        } catch (JsonProcessingException e) {
            // The message of the exception repeats the body, which may contain a token.
            long offset = e.getLocation() == null ? 0 : e.getLocation().getCharOffset();
            errors.add(
                    BODY,
                    text.stripLeading().startsWith("{")
                            ? "must be one JSON object without repeated fields; the error is at character " + offset
                            : NO_OBJECT);
        }
    }

    /** Parses a JSON text, which must be valid UTF-8, without repeated fields. */
    public JsonNode parse(byte[] body) throws IOException {
        String text = new String(body, StandardCharsets.UTF_8);
        if (isMalformed(text)) {
            throw new CharConversionException("no UTF-8");
        }
        return json.readTree(text);
    }

    private static void addValue(String name, JsonNode value, ObjectNode fields, FieldErrors errors) {
        if (value.isNull()) {
            errors.add(name, "must not be null");
        } else {
            fields.set(name, value);
        }
    }

    /** Returns whether a decoder found invalid UTF-8. */
    private static boolean isMalformed(String text) {
        return text.indexOf('\uFFFD') >= 0;
    }

    /** @throws ProblemException with all errors of the request */
    public <T extends RequestFields> T bind(Class<T> type, ObjectNode fields, FieldErrors errors) throws IOException {
        FieldsOfType wanted = types.get(type);
        errors.removeUnknown(fields, wanted.names());
        T request = wanted.reader().withAttribute(FieldErrors.class, errors).readValue(fields);
        request.check(errors, limits.get());
        errors.check();
        return request;
    }

    private static <T> Field<T> text(Function<String, T> make) {
        return new Field<>((type, text) -> {
            if (type != JsonToken.VALUE_STRING && type != JsonToken.VALUE_EMBEDDED_OBJECT) {
                throw new IllegalArgumentException("must be a string");
            }
            return make.apply(text);
        });
    }

    private static Long wholeNumber(JsonToken type, String text) {
        boolean spelled = type == JsonToken.VALUE_EMBEDDED_OBJECT
                && WHOLE_NUMBER.matcher(text).matches();
        if (type != JsonToken.VALUE_NUMBER_INT && !spelled) {
            throw new IllegalArgumentException(
                    WITH_UNIT.matcher(text).matches()
                            ? "must be a whole number without a unit"
                            : "must be a whole number");
        }
        // A longer number is out of every range, and may not fit a long. FieldErrors does not show it.
        if (text.length() > LONGEST_NUMBER) {
            return text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return Long.valueOf(text);
    }

    private static String inMilliseconds(String time) {
        try {
            return ", in milliseconds: " + Duration.parse("PT" + time).toMillis();
        } catch (DateTimeParseException | ArithmeticException otherUnit) {
            return "";
        }
    }

    private static Boolean flag(JsonToken type, String text) {
        boolean spelled = type == JsonToken.VALUE_EMBEDDED_OBJECT && (text.equals("true") || text.equals("false"));
        if (!type.isBoolean() && !spelled) {
            throw new IllegalArgumentException("must be true or false");
        }
        return Boolean.valueOf(text);
    }

    /** The names of the fields of one type, and its reader, which is costly to create. */
    private record FieldsOfType(Set<String> names, ObjectReader reader) {
        static FieldsOfType of(Class<?> type, JsonMapper json) {
            Set<String> names = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getName)
                    .collect(Collectors.toUnmodifiableSet());
            return new FieldsOfType(names, json.readerFor(type));
        }
    }

    /** Converts one field. An error is added to the others, and the field is left out. */
    private static final class Field<T> extends JsonDeserializer<T> {
        private final BiFunction<JsonToken, String, T> conversion;

        private Field(BiFunction<JsonToken, String, T> conversion) {
            this.conversion = conversion;
        }

        @Override
        public T deserialize(JsonParser field, DeserializationContext context) throws IOException {
            JsonToken type = field.currentToken();
            String text =
                    type == JsonToken.VALUE_EMBEDDED_OBJECT ? (String) field.getEmbeddedObject() : field.getText();
            try {
                return conversion.apply(type, text);
            } catch (IllegalArgumentException invalid) {
                String name = field.currentName();
                FieldErrors.of(context)
                        .add(name, invalid.getMessage() + (name.endsWith("Ms") ? inMilliseconds(text) : ""));
                field.skipChildren();
                return null;
            }
        }
    }
}
