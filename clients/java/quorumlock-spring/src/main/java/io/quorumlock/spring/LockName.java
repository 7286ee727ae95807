// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The names of the locks of the registry. No two keys have the same one. */
final class LockName {
    /** The percent sign is one of them, so that no key has the name of another one that is encoded. */
    private static final Pattern REFUSED_CHARACTERS = Pattern.compile("[%\\p{Cc}\uFFFD]");

    /** The beginning of a segment that is empty, a dot or two, or at the end {@code extend} or {@code fence}. */
    private static final Pattern REFUSED_SEGMENTS = Pattern.compile("(?<=\\A|/)(?=\\.{0,2}(/|\\z)|(extend|fence)\\z)");

    private LockName() {}

    /** Encodes what the service refuses: {@code orders/42} stays as it is, {@code /a.txt} is {@code %/a.txt}. */
    static String of(Object key) {
        String text = REFUSED_CHARACTERS
                .matcher(key.toString())
                .replaceAll(refused -> URLEncoder.encode(refused.group(), StandardCharsets.UTF_8));
        return REFUSED_SEGMENTS.matcher(text).replaceAll("%");
    }
}
