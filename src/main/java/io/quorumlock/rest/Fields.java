package io.quorumlock.rest;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Gathers the fields of one request from header, query and body, and every error in them: nothing is clamped, nothing
 * unknown is ignored.
 */
final class Fields {
    private static final int MOST_ERRORS = 16;
    private static final int LONGEST_ECHO = 64;
    private static final int LONGEST_NUMBER = 18;

    private final Set<String> known;
    private final List<Named> values = new ArrayList<>(4);
    private final List<FieldError> errors = new ArrayList<>(0);

    private record Named(String name, Given given) {}

    /** Takes only fields that are {@code known}. */
    Fields(Set<String> known) {
        this.known = known;
    }

    /** Reads every field of a query and a body. */
    static Fields of(Set<String> known, String query, byte[] body) {
        Fields fields = new Fields(known);
        QueryFields.read(query, fields);
        JsonFields.read(body, fields);
        return fields;
    }

    /** Adds a value, or the error that it makes. */
    void add(String name, Given given) {
        if (!known.contains(name)) {
            refuse(name, known.isEmpty() ? "is unknown: no field is known here" : "is unknown");
            return;
        }
        given(name).ifPresentOrElse(first -> addAgain(name, given, first), () -> values.add(new Named(name, given)));
    }

    /** The first counts; another must come from elsewhere and say the same. */
    private void addAgain(String name, Given again, Given first) {
        if (again.source() == first.source()) {
            refuse(name, "is given more than once");
        } else if (!again.text().equals(first.text())) {
            refuse(name, "is given twice with different values");
        }
    }

    /** Notes that a field is wrong. */
    void refuse(String field, String detail) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(
                    new FieldError(field.length() <= LONGEST_ECHO ? field : field.substring(0, LONGEST_ECHO), detail));
        }
    }

    /** Says whether the field was given. */
    boolean has(String name) {
        return given(name).isPresent();
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

    /** Reads the most locks to show. */
    int limit(int fallback, int most) {
        return whole("limit", "locks", 1, most).map(Long::intValue).orElse(fallback);
    }

    private Optional<Long> whole(String name, String unit, long least, long most) {
        return read(name, given -> {
            if (!given.isWholeNumber()) {
                throw new IllegalArgumentException("must be a whole number of " + unit);
            }
            // A longer number is out of any bound, and would not fit a long.
            long number = given.text().length() <= LONGEST_NUMBER ? Long.parseLong(given.text()) : Long.MAX_VALUE;
            if (number < least || number > most) {
                throw new IllegalArgumentException("must be from " + least + " to " + most + " " + unit);
            }
            return number;
        });
    }

    /** Reads a switch that is off unless it is switched on. */
    boolean flag(String name) {
        return read(name, given -> {
                    if (!given.isTrueOrFalse()) {
                        throw new IllegalArgumentException("must be true or false");
                    }
                    return given.text().equals("true");
                })
                .orElse(false);
    }

    /** Reads a text by what makes a value of it, or refuses it. */
    <T> Optional<T> made(String name, Function<String, T> make) {
        return read(name, text(make));
    }

    /** Reads the least validity that is of use: no more than the TTL can ever give; of a wrong TTL nothing can be said. */
    Duration minValidity(Duration ttl, Limits limits) {
        Duration longest =
                isRefused("ttlMs") ? limits.ttlMax() : limits.mostValidity().apply(ttl);
        return millis("minValidityMs", Duration.ZERO, Duration.ZERO, longest, ": no more than drift leaves of ttlMs");
    }

    private boolean isRefused(String name) {
        return errors.stream().anyMatch(error -> error.field().equals(name));
    }

    /** Reads the token, where it may be left out. */
    Optional<LeaseToken> token() {
        return read("token", text(LeaseToken::new));
    }

    /** Reads the token, and notes its absence. */
    Optional<LeaseToken> requiredToken() {
        if (!has("token")) {
            refuse("token", "is required: as the header Lock-Token, as ?token= or in the body");
        }
        return token();
    }

    /** Reads the owner's label. */
    Optional<Owner> owner() {
        return read("owner", text(Owner::new));
    }

    /** Ends the request if anything is wrong. */
    void check() {
        if (!errors.isEmpty()) {
            throw new Refusal(Problems.invalidRequest(errors));
        }
    }

    private <T> Optional<T> read(String name, Function<Given, T> reader) {
        try {
            return given(name).map(reader);
        } catch (IllegalArgumentException e) {
            refuse(name, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Given> given(String name) {
        for (Named value : values) {
            if (value.name().equals(name)) {
                return Optional.of(value.given());
            }
        }
        return Optional.empty();
    }

    private static <T> Function<Given, T> text(Function<String, T> make) {
        return given -> {
            if (!given.isText()) {
                throw new IllegalArgumentException("must be a string");
            }
            return make.apply(given.text());
        };
    }
}
