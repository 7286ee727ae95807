// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The conversion of an array of names. An error is added to the others, and the field is left out. */
final class NamesField extends JsonDeserializer<ResourceNames> {

    @Override
    public ResourceNames deserialize(JsonParser field, DeserializationContext context) throws IOException {
        String name = field.currentName();
        FieldErrors errors = FieldErrors.of(context);
        if (!field.isExpectedStartArrayToken()) {
            errors.add(name, "must be an array of names");
            field.skipChildren();
            return null;
        }
        List<ResourceName> names = new ArrayList<>();
        boolean valid = true;
        while (field.nextToken() != JsonToken.END_ARRAY) {
            try {
                names.add(name(field));
            } catch (IllegalArgumentException invalid) {
                valid = false;
                errors.add(name, invalid.getMessage());
                field.skipChildren();
            }
        }
        try {
            return valid ? new ResourceNames(names) : null;
        } catch (IllegalArgumentException invalid) {
            errors.add(name, invalid.getMessage());
            return null;
        }
    }

    private static ResourceName name(JsonParser field) throws IOException {
        JsonToken type = field.currentToken();
        if (type != JsonToken.VALUE_STRING && type != JsonToken.VALUE_EMBEDDED_OBJECT) {
            throw new IllegalArgumentException("must have only strings");
        }
        String text = type == JsonToken.VALUE_EMBEDDED_OBJECT ? (String) field.getEmbeddedObject() : field.getText();
        try {
            return new ResourceName(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "has the name " + LogSanitizer.quoted(text) + ", which " + invalid.getMessage());
        }
    }
}
