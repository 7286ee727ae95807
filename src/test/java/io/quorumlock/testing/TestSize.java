// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

/** Sizes of tests: small in {@code verify}, larger in the profile {@code nightly}, which sets system properties. */
public final class TestSize {
    private TestSize() {}

    /** Returns the value of a system property, which must be a positive whole number, or the default. */
    public static int of(String property, int otherwise) {
        String text = System.getProperty(property, "").strip();
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException(property + " must be a whole number from 1, not \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
