// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.keys.AccessRules.AccessRule;
import io.quorumlock.http.keys.KeyRing.ApiKey;
import io.quorumlock.http.keys.KeyUsage.Quota;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The strict parser of the keys file. Error messages state the place and the fix, and never repeat the content. */
final class KeysReader {
    private static final int MAX_KEYS = 1_000;
    private static final int MAX_RULES = 100;
    private static final String VERBS =
            Stream.of(Verb.values()).map(Verb::label).collect(Collectors.joining(", "));
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .addModule(new SimpleModule()
                    .addDeserializer(KeyId.class, text(KeyId::new))
                    .addDeserializer(KeyHash.class, text(KeyHash::parse))
                    .addDeserializer(ResourcePrefix.class, text(ResourcePrefix::new))
                    .addDeserializer(Verb.class, text(KeysReader::verb)))
            .build();

    private KeysReader() {}

    private record Document(List<Entry> keys) {
        Document {
            required("keys", keys);
            atMost(MAX_KEYS, "keys", keys);
        }
    }

    private record Entry(KeyId id, KeyHash sha256, List<Rule> rules, Limits quota) {
        Entry {
            required("id", id);
            required("sha256", sha256);
            required("rules", rules);
            atMost(MAX_RULES, "rules", rules);
        }

        ApiKey toKey() {
            return new ApiKey(
                    id,
                    sha256,
                    new AccessRules(rules.stream().map(Rule::toRule).toList()),
                    quota == null ? Quota.NONE : quota.toQuota());
        }
    }

    private record Rule(ResourcePrefix prefix, List<Verb> verbs) {
        Rule {
            required("prefix", prefix);
            required("verbs", verbs);
        }

        AccessRule toRule() {
            return new AccessRule(prefix, verbs.isEmpty() ? Set.of() : EnumSet.copyOf(verbs));
        }
    }

    private record Limits(Integer requestsPerSecond, Integer waiters, Integer streams) {
        Limits {
            inRange("requestsPerSecond", requestsPerSecond, 1, Quota.MOST_REQUESTS);
            inRange("waiters", waiters, 0, Quota.MOST_PLACES);
            inRange("streams", streams, 0, Quota.MOST_PLACES);
        }

        Quota toQuota() {
            return new Quota(
                    Optional.ofNullable(requestsPerSecond), Optional.ofNullable(waiters), Optional.ofNullable(streams));
        }
    }

    /** Parses the file. One error rejects all keys. */
    static KeyRing read(String text) throws InvalidKeysException {
        List<Entry> entries;
        try {
            entries = JSON.readValue(text, Document.class).keys();
        } catch (JacksonException e) {
            JacksonException error = e.getCause() instanceof JsonParseException syntax ? syntax : e;
            throw new InvalidKeysException(placeOf(error), messageOf(error));
        }
        unique("keys[%d].id", entries.stream().map(Entry::id).toList());
        unique("keys[%d].sha256", entries.stream().map(Entry::sha256).toList());
        for (int i = 0; i < entries.size(); i++) {
            List<Rule> rules = entries.get(i).rules();
            String place = "keys[" + i + "].rules[%d]";
            unique(place + ".prefix", rules.stream().map(Rule::prefix).toList());
            for (int j = 0; j < rules.size(); j++) {
                unique(place.formatted(j) + ".verbs[%d]", rules.get(j).verbs());
            }
        }
        return new KeyRing(entries.stream().map(Entry::toKey).toList());
    }

    private static Verb verb(String label) {
        return Verb.labelled(label).orElseThrow(() -> new IllegalArgumentException("must be one of " + VERBS));
    }

    private static void required(String field, Object value) {
        if (value == null) {
            throw new IllegalArgumentException("lacks the field \"" + field + "\"");
        }
    }

    private static void atMost(int max, String field, List<?> values) {
        if (values.size() > max) {
            throw new IllegalArgumentException("\"" + field + "\" must have at most " + max + " entries");
        }
    }

    private static void inRange(String field, Integer value, int min, int max) {
        if (value != null && (value < min || value > max)) {
            throw new IllegalArgumentException("\"" + field + "\" must be a whole number from " + min + " to " + max);
        }
    }

    private static void unique(String place, List<?> values) throws InvalidKeysException {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < values.size(); i++) {
            if (!seen.add(values.get(i))) {
                throw new InvalidKeysException(place.formatted(i), "must differ from all earlier entries");
            }
        }
    }

    /** Returns a deserializer of strings. The messages of {@code parse} do not contain the string. */
    private static <T> JsonDeserializer<T> text(Function<String, T> parse) {
        return new JsonDeserializer<>() {
            @Override
            public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
                if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                    throw MismatchedInputException.from(parser, String.class, "");
                }
                try {
                    return parse.apply(parser.getText());
                } catch (IllegalArgumentException e) {
                    throw ValueInstantiationException.from(parser, "", context.constructType(Object.class), e);
                }
            }

            @Override
            public T getNullValue(DeserializationContext context) throws JsonMappingException {
                throw MismatchedInputException.from(context.getParser(), String.class, "");
            }

            @Override
            public T getAbsentValue(DeserializationContext context) {
                return null;
            }
        };
    }

    private static String placeOf(JacksonException e) {
        JsonLocation location = e.getLocation();
        String line = "line " + location.getLineNr();
        if (!(e instanceof JsonMappingException mapping)) {
            return line + ", column " + location.getColumnNr();
        }
        List<JsonMappingException.Reference> path = new ArrayList<>(mapping.getPath());
        if (e instanceof UnrecognizedPropertyException) {
            // The name of an unknown field may be a secret.
            path.remove(path.size() - 1);
        }
        StringBuilder place = new StringBuilder(line);
        String separator = ", ";
        for (JsonMappingException.Reference part : path) {
            place.append(part.getFieldName() == null ? "[" + part.getIndex() + "]" : separator + part.getFieldName());
            separator = ".";
        }
        return place.toString();
    }

    /** Returns a message without content of the file. The messages of Jackson repeat content, which may be a key. */
    private static String messageOf(JacksonException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "has an unknown field; known are "
                    + unknown.getKnownPropertyIds().stream()
                            .map(Object::toString)
                            .sorted()
                            .collect(Collectors.joining(", "));
        }
        if (e instanceof ValueInstantiationException && e.getCause() instanceof IllegalArgumentException ours) {
            return ours.getMessage();
        }
        if (e.getOriginalMessage().startsWith("Duplicate field")) {
            return "has the same field twice";
        }
        if (e.getOriginalMessage().startsWith("Trailing token")) {
            return "must be one object and nothing after it";
        }
        if (e.getCause() instanceof InputCoercionException) {
            return expected(Integer.class);
        }
        return e instanceof MismatchedInputException mismatch
                ? expected(mismatch.getTargetType())
                : "is not valid JSON";
    }

    private static String expected(Class<?> type) {
        if (type == Integer.class) {
            return "must be a whole number";
        }
        if (type == String.class) {
            return "must be a string";
        }
        return type != null && Collection.class.isAssignableFrom(type)
                ? "must be a list, […]"
                : "must be an object, {…}";
    }
}
