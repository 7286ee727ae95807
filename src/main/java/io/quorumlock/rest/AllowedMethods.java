// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.util.regex.Pattern;

/** The methods that each path supports. Paths are without percent-encoding. */
final class AllowedMethods {
    private static final Pattern EXTENSION = Pattern.compile("(?s)/locks/(?:.*/)?extend");
    private static final Pattern LOCKS = Pattern.compile("(?s)/locks(?:/.*)?");
    private static final Pattern SESSION = Pattern.compile("(?s)/sessions/.*");

    private AllowedMethods() {}

    /** Returns the methods as in the header Allow. */
    static String of(String path) {
        if (isExtension(path)) {
            return "PUT";
        }
        if (LOCKS.matcher(path).matches()) {
            return "DELETE, GET, POST";
        }
        return SESSION.matcher(path).matches() ? "POST" : "GET";
    }

    /** Returns whether the path is that of an extension, and not of a lock, for any method. */
    static boolean isExtension(String path) {
        return EXTENSION.matcher(path).matches();
    }
}
