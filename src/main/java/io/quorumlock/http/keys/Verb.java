// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An operation that a rule can allow. */
public enum Verb {
    ACQUIRE,
    EXTEND,
    RELEASE,
    READ,
    LIST,
    FORCE,
    EVENTS;

    /** Finds a verb by its name in the keys file. */
    static Optional<Verb> labelled(String label) {
        return Arrays.stream(values())
                .filter(verb -> verb.label().equals(label))
                .findAny();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
