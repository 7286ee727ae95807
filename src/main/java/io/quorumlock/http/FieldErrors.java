// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.http.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The errors in the fields of one request. All are collected, so that the client gets them at once. */
public final class FieldErrors {
    private static final int MOST = 16;
    private static final int LONGEST_ECHO = 64;

    private final List<FieldError> errors = new ArrayList<>(0);

    /** Returns the errors of the request whose fields are converted. */
    static FieldErrors of(DeserializationContext context) {
        return (FieldErrors) context.getAttribute(FieldErrors.class);
    }

    /** Adds the error of a field. */
    void add(String field, String detail) {
        if (errors.size() < MOST) {
            errors.add(
                    new FieldError(field.length() <= LONGEST_ECHO ? field : field.substring(0, LONGEST_ECHO), detail));
        }
    }

    /** Removes fields that are not among the known ones, with an error for each that names a similar one, or all. */
    public void removeUnknown(ObjectNode fields, Set<String> known) {
        fields.properties().removeIf(field -> {
            String name = field.getKey();
            if (known.contains(name)) {
                return false;
            }
            String hint = known.stream()
                    .filter(similar -> plain(similar).equals(plain(name)))
                    .map(similar -> "; did you mean " + similar)
                    .findFirst()
                    .orElseGet(
                            () -> known.stream().sorted().collect(Collectors.joining(", ", "; the fields are ", "")));
            add(name, "is unknown" + hint);
            return true;
        });
    }

    /** Returns a name of a field without what is often spelled otherwise: capitals, separators, the unit and the plural. */
    private static String plain(String field) {
        return field.toLowerCase(Locale.ROOT).replaceAll("[-_]|m?s$", "");
    }

    /** Returns whether the field has an error. A value that cannot be read is missing. */
    boolean has(String field) {
        return errors.stream().anyMatch(error -> error.field().equals(field));
    }

    /** Adds an error if the condition does not hold, and the field has no error yet. */
    public void require(boolean condition, String field, String detail) {
        if (!condition && !has(field)) {
            add(field, detail);
        }
    }

    /** Adds an error if a number is out of range. */
    void range(String field, Optional<Long> number, long least, long most) {
        range(field, number, least, most, "");
    }

    /** @param source where the limits come from, for the end of the message */
    public void range(String field, Optional<Long> number, long least, long most, String source) {
        number.filter(value -> value < least || value > most)
                .ifPresent(value ->
                        require(false, field, "must be from " + least + " to " + most + source + shown(value)));
    }

    /** A number with too many digits was read as the largest or the smallest one. */
    private static String shown(long value) {
        return value == Long.MAX_VALUE || value == Long.MIN_VALUE ? "" : ", but is " + value;
    }

    void checkTtl(Optional<Long> ttlMs, Limits limits) {
        range(
                "ttlMs",
                ttlMs,
                limits.ttlMin().toMillis(),
                limits.ttlMax().toMillis(),
                " (quorumlock.ttl.min and quorumlock.ttl.max of the service)");
    }

    void requireToken(Optional<LeaseToken> token) {
        require(token.isPresent(), "token", "is required, in the header Lock-Token or as a field");
    }

    /** @throws ProblemException if there is an error */
    void check() {
        if (!errors.isEmpty()) {
            throw new ProblemException(Problems.invalidRequest(errors));
        }
    }
}
