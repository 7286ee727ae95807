package io.quorumlock.lock;

/**
 * Begins the names of resources. Every character means itself, those of patterns too.
 *
 * @param text normalised and bounded as a {@link ResourceName}; its last segment may be a part of one, and all of it may be
 *     empty
 */
public record ResourcePrefix(String text) {

    public ResourcePrefix {
        text = ResourceName.normalised(text);
        if (text.startsWith("/") || text.contains("//")) {
            throw new IllegalArgumentException("must not contain an empty segment");
        }
        String[] segments = text.split("/", -1);
        for (int i = 0; i < segments.length - 1; i++) {
            ResourceName.checkSegment(segments[i]);
        }
    }

    /** Says whether what may be a name begins with it. */
    public boolean begins(String name) {
        return name.startsWith(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
