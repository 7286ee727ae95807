// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * The name of a lockable resource. Names are compared as they are, without Unicode normalisation.
 *
 * @param text one or more segments joined by "/", 1 to 512 bytes of UTF-8, without empty and dot segments, control
 *     characters, and U+FFFD, to which lenient decoders change invalid UTF-8. The last segment is not "extend" or "fence",
 *     which are paths of the lock
 */
public record ResourceName(String text) {
    static final int MOST_BYTES = 512;
    private static final Set<String> RESERVED = Set.of("extend", "fence");

    public ResourceName {
        checkText(text);
        for (String segment : text.split("/", -1)) {
            checkSegment(segment);
        }
        String last = text.substring(text.lastIndexOf('/') + 1);
        if (RESERVED.contains(last)) {
            throw new IllegalArgumentException("must not end in the segment \"" + last + "\"");
        }
    }

    /** Checks the rules that are common to a name and a prefix of one. */
    static void checkText(String text) {
        if (text.startsWith("/")) {
            throw new IllegalArgumentException("must not begin with a slash: leave it out");
        }
        if (text.length() > MOST_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException("must have at most " + MOST_BYTES + " bytes in UTF-8");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException("must not contain control characters");
            }
        }
        if (text.indexOf('\uFFFD') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("must be valid UTF-8");
        }
    }

    static void checkSegment(String segment) {
        if (segment.isEmpty()) {
            throw new IllegalArgumentException("must not be empty or contain an empty segment");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw new IllegalArgumentException("must not contain the segment \"" + segment + "\"");
        }
    }

    /** Returns the name in percent-encoding, with its slashes, as in the path of a URL. */
    public String toPath() {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /** Decodes what {@link URLEncoder} made of a name; empty if another program made it. */
    public static Optional<ResourceName> decoded(String encoded) {
        try {
            return Optional.of(new ResourceName(URLDecoder.decode(encoded, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
