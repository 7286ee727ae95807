// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.Owner;
import io.quorumlock.rest.Problem.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The parameters of one request from header, query and body. Collects all errors, so that the client gets them at once.
 * Values are never adjusted, and unknown parameters are errors.
 */
final class RequestParameters {
    private static final int MOST_ERRORS = 16;
    private static final int LONGEST_ECHO = 64;
    private static final int LONGEST_NUMBER = 18;

    private final Map<String, ParameterValue> values = new LinkedHashMap<>();
    private final List<FieldError> errors = new ArrayList<>(0);

    /** Adds a value, or the error that it causes. */
    void add(String name, ParameterValue value) {
        value(name).ifPresentOrElse(first -> addAgain(name, value, first), () -> values.put(name, value));
    }

    /** Rejects every parameter that is not {@code known}. */
    RequestParameters only(Set<String> known) {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                reject(name, known.isEmpty() ? "is unknown; this call has no parameters" : "is unknown");
            }
        }
        return this;
    }

    /** Accepts a repeated parameter only from another source and with the same value. */
    private void addAgain(String name, ParameterValue again, ParameterValue first) {
        if (again.source() == first.source()) {
            reject(name, "must not be repeated");
        } else if (!again.text().equals(first.text())) {
            reject(name, "must have the same value everywhere in the request");
        }
    }

    /** Records the error of a field. */
    void reject(String field, String detail) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(
                    new FieldError(field.length() <= LONGEST_ECHO ? field : field.substring(0, LONGEST_ECHO), detail));
        }
    }

    /** Returns whether the request has the field. */
    boolean has(String name) {
        return value(name).isPresent();
    }

    /** Reads a whole number of milliseconds within bounds. */
    Duration millis(String name, Duration fallback, Duration least, Duration most) {
        return millis(name, fallback, least, most, "");
    }

    private Duration millis(String name, Duration fallback, Duration least, Duration most, String reason) {
        return whole(name, "milliseconds" + reason, least.toMillis(), most.toMillis())
                .map(Duration::ofMillis)
                .orElse(fallback);
    }

    /** Reads the maximum number of locks on a page. */
    int limit(int fallback, int most) {
        return whole("limit", "locks", 1, most).map(Long::intValue).orElse(fallback);
    }

    private Optional<Long> whole(String name, String unit, long least, long most) {
        return read(name, given -> {
            if (!given.isWholeNumber()) {
                throw new IllegalArgumentException("must be a whole number of " + unit);
            }
            // A longer number is out of range, and may not fit a long.
            long number = given.text().length() <= LONGEST_NUMBER ? Long.parseLong(given.text()) : Long.MAX_VALUE;
            if (number < least || number > most) {
                throw new IllegalArgumentException("must be from " + least + " to " + most + " " + unit);
            }
            return number;
        });
    }

    /** Reads a boolean; false if it is absent. */
    boolean flag(String name) {
        return read(name, given -> {
                    if (!given.isTrueOrFalse()) {
                        throw new IllegalArgumentException("must be true or false");
                    }
                    return given.text().equals("true");
                })
                .orElse(false);
    }

    /** Reads a text and converts it. An IllegalArgumentException of the conversion becomes the error of the field. */
    <T> Optional<T> converted(String name, Function<String, T> make) {
        return read(name, text(make));
    }

    /**
     * Reads the minimum validity. It may not exceed the TTL minus drift. If the TTL is invalid, the largest TTL counts.
     */
    Duration minValidity(Duration ttl, Limits limits) {
        Duration longest =
                isRejected("ttlMs") ? limits.ttlMax() : limits.mostValidity().apply(ttl);
        return millis("minValidityMs", Duration.ZERO, Duration.ZERO, longest, " (at most ttlMs minus drift)");
    }

    private boolean isRejected(String name) {
        return errors.stream().anyMatch(error -> error.field().equals(name));
    }

    /** Reads an optional token. */
    Optional<LeaseToken> token() {
        return read("token", text(LeaseToken::new));
    }

    /** Reads the token. Its absence is an error. */
    Optional<LeaseToken> requiredToken() {
        if (!has("token")) {
            reject("token", "is required; send the header Lock-Token, or token in the query or in the body");
        }
        return token();
    }

    /** Reads the owner's label. */
    Optional<Owner> owner() {
        return read("owner", text(Owner::new));
    }

    /** @throws ProblemException if there is an error */
    void check() {
        if (!errors.isEmpty()) {
            throw new ProblemException(Problems.invalidRequest(errors));
        }
    }

    private <T> Optional<T> read(String name, Function<ParameterValue, T> reader) {
        try {
            return value(name).map(reader);
        } catch (IllegalArgumentException e) {
            reject(name, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<ParameterValue> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    private static <T> Function<ParameterValue, T> text(Function<String, T> make) {
        return given -> {
            if (!given.isText()) {
                throw new IllegalArgumentException("must be a string");
            }
            return make.apply(given.text());
        };
    }
}
