// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the strings and integers of one JSON object. Other values are only checked for their form. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the fields, or null if the text is not a JSON object. */
    static Map<String, Object> fields(String text) {
        try {
            Json json = new Json(text.strip());
            check(json.next() == '{');
            Map<String, Object> fields = json.object(0);
            check(json.at == json.text.length());
            return fields;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    private static void check(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException();
        }
    }

    private char next() {
        while (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return text.charAt(at++);
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new HashMap<>();
        for (char c = next(); c != '}'; ) {
            check(c == '"');
            String key = string();
            check(next() == ':');
            fields.put(key, value(depth));
            c = next();
            check(c == ',' || c == '}');
            c = c == ',' ? next() : c;
        }
        return fields;
    }

    private Object value(int depth) {
        check(depth < 32);
        char c = next();
        if (c == '"') {
            return string();
        } else if (c == '{') {
            return object(depth + 1);
        } else if (c == '[') {
            List<Object> values = new ArrayList<>();
            for (c = next(); c != ']'; c = c == ',' ? next() : c) {
                at--;
                values.add(value(depth + 1));
                c = next();
                check(c == ',' || c == ']');
            }
            return values;
        }
        int start = at - 1;
        while (",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        check(word.matches("true|false|null|-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?"));
        if (word.equals("true")) {
            return true;
        }
        return word.matches("-?\\d{1,18}") ? Long.valueOf(word) : null;
    }

    private String string() {
        StringBuilder value = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c == '\\') {
                c = text.charAt(at++);
                int control = "bfnrt".indexOf(c);
                check(c == 'u' || control >= 0 || "\"\\/".indexOf(c) >= 0);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(at, at += 4), 16);
                } else if (control >= 0) {
                    c = "\b\f\n\r\t".charAt(control);
                }
            }
            value.append(c);
        }
        return value.toString();
    }
}
