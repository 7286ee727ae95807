// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * A label of the holder of a lease, for people and dashboards. It proves nothing.
 *
 * @param label 1 to 128 characters without control characters
 */
public record Owner(String label) {
    public static final int LONGEST = 128;

    public Owner {
        if (label.isEmpty() || label.length() > LONGEST) {
            throw new IllegalArgumentException("must have 1 to " + LONGEST + " characters");
        }
        if (label.codePoints()
                .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw new IllegalArgumentException("must not contain control characters");
        }
    }
}
