// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.util.Locale;

/** The outcome of a call to the engine. */
public interface LockOutcome {

    /** Returns the kind of the outcome, for {@code switch} expressions that the compiler checks for completeness. */
    Enum<?> kind();

    /** Returns the kind as a label of metrics and traces. It contains no token. */
    default String label() {
        return label(kind());
    }

    /** Returns the label of outcomes of one kind. */
    static String label(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
