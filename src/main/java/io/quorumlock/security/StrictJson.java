package io.quorumlock.security;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads JSON in which every field is known, none is there twice, and an error has a line and a path. */
final class StrictJson {
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonParser parser;
    /** From the outermost field inwards. */
    private final Deque<String> path = new ArrayDeque<>();

    /** Reads the value that comes next. */
    interface Reader {
        void read() throws InvalidKeysException;
    }

    private StrictJson(JsonParser parser) {
        this.parser = parser;
    }

    /** Reads a text that is one object and nothing else. */
    static StrictJson of(String text) {
        try {
            return new StrictJson(JSON.createParser(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads an object with these fields. */
    void object(Map<String, Reader> fields, Set<String> required) throws InvalidKeysException {
        expect(next(), JsonToken.START_OBJECT, "an object, {…}");
        Set<String> seen = new HashSet<>();
        while (next() == JsonToken.FIELD_NAME) {
            String name = name();
            if (!fields.containsKey(name)) {
                throw bad("has an unknown field; known are " + String.join(", ", new TreeMap<>(fields).keySet()));
            }
            if (!seen.add(name)) {
                throw bad("has the field \"" + name + "\" twice");
            }
            within(path.isEmpty() ? name : "." + name, fields.get(name));
        }
        for (String name : new TreeSet<>(required)) {
            if (!seen.contains(name)) {
                throw bad("lacks the field \"" + name + "\"");
            }
        }
    }

    /** Reads a list of no more values than that. */
    void list(int most, Reader item) throws InvalidKeysException {
        expect(next(), JsonToken.START_ARRAY, "a list, […]");
        for (int i = 0; peek() != JsonToken.END_ARRAY; i++) {
            if (i == most) {
                throw bad("must have at most " + most + " entries");
            }
            within("[" + i + "]", item);
        }
    }

    String text() throws InvalidKeysException {
        expect(next(), JsonToken.VALUE_STRING, "a string");
        try {
            return parser.getText();
        } catch (IOException e) {
            throw invalid();
        }
    }

    int number(int least, int most) throws InvalidKeysException {
        String allowed = "a whole number from " + least + " to " + most;
        expect(next(), JsonToken.VALUE_NUMBER_INT, allowed);
        try {
            int number = parser.getIntValue();
            if (number >= least && number <= most) {
                return number;
            }
        } catch (IOException e) {
            // Longer than any bound.
        }
        throw bad("must be " + allowed);
    }

    void end() throws InvalidKeysException {
        if (next() != null) {
            throw bad("must be one object and nothing after it");
        }
    }

    InvalidKeysException bad(String what) {
        String place = String.join("", (Iterable<String>) this::outsideIn);
        int line = parser.currentTokenLocation().getLineNr();
        return new InvalidKeysException("line " + line + (place.isEmpty() ? "" : ", " + place), what);
    }

    private Iterator<String> outsideIn() {
        return path.descendingIterator();
    }

    private void within(String place, Reader reader) throws InvalidKeysException {
        path.push(place);
        reader.read();
        path.pop();
    }

    private void expect(JsonToken found, JsonToken wanted, String what) throws InvalidKeysException {
        if (found != wanted) {
            throw bad("must be " + what);
        }
    }

    private boolean peeked;

    /** Looks at what comes, which the next reading then takes. */
    private JsonToken peek() throws InvalidKeysException {
        JsonToken token = next();
        peeked = token != JsonToken.END_ARRAY;
        return token;
    }

    private String name() throws InvalidKeysException {
        try {
            return parser.currentName();
        } catch (IOException e) {
            throw invalid();
        }
    }

    private JsonToken next() throws InvalidKeysException {
        if (peeked) {
            peeked = false;
            return parser.currentToken();
        }
        try {
            return parser.nextToken();
        } catch (JsonProcessingException e) {
            throw invalid();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not the parser's message, which repeats what stands there: it may be a key. */
    private InvalidKeysException invalid() {
        int line = parser.currentLocation().getLineNr();
        int column = parser.currentLocation().getColumnNr();
        return new InvalidKeysException("line " + line + ", column " + column, "is no valid JSON");
    }
}
