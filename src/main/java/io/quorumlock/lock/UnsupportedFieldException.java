// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

/** A call needs a feature that the chosen engine does not have. */
public final class UnsupportedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    /** @param field the field of the request that needs the feature */
    public UnsupportedFieldException(String field) {
        super("is not supported by the engine of this service");
        this.field = field;
    }

    public String field() {
        return field;
    }
}
