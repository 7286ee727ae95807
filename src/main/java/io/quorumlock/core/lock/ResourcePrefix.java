// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * A prefix of resource names. No character has a special meaning.
 *
 * @param text follows the rules of a {@link ResourceName}, but its last segment may be incomplete, and it may be empty
 */
public record ResourcePrefix(String text) {

    public ResourcePrefix {
        ResourceName.checkText(text);
        if (text.contains("//")) {
            throw new IllegalArgumentException("must not contain an empty segment");
        }
        String[] segments = text.split("/", -1);
        for (int i = 0; i < segments.length - 1; i++) {
            ResourceName.checkSegment(segments[i]);
        }
    }

    /** Returns whether the text, which need not be a valid name, begins with this prefix. */
    public boolean begins(String name) {
        return name.startsWith(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
