// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The prefixes of the keys on every master, and the keys and channels of a resource.
 *
 * @param lock prefix of locks; empty to share locks with other Redlock clients
 * @param fence prefix of the counters of fencing tokens; neither empty nor equal to {@code lock}, because a lock must
 *     not have the key of a counter
 */
public record KeyPrefixes(String lock, String fence) {
    /**
     * Number of counters (R14). Resources share counters, because a counter only has to grow. The number must be the
     * same on every replica and in every version.
     */
    private static final int COUNTERS = 1 << 16;

    private static final Pattern PATTERN_SPECIAL = Pattern.compile("[\\\\*?\\[\\]]");
    /** The prefix of the channels of releases, before the key of the lock. */
    static final String RELEASES = "quorumlock:released:";

    public KeyPrefixes {
        if (fence.isEmpty() || fence.equals(lock)) {
            throw new IllegalArgumentException("fence prefix must be neither empty nor equal to the lock prefix");
        }
    }

    String lockOf(ResourceName resource) {
        return lock + resource.text();
    }

    /** Returns the channel of announcements of releases. */
    String releasesOf(ResourceName resource) {
        return RELEASES + lockOf(resource);
    }

    /**
     * Returns the Redis pattern for lock keys of names with this prefix. No character of the prefix has a special
     * meaning.
     */
    String lockPattern(String namePrefix) {
        return PATTERN_SPECIAL.matcher(lock + namePrefix).replaceAll("\\\\$0") + "*";
    }

    /** Returns the key of a resource's counter. It ends in a slash, so that it cannot be the name of a resource. */
    String counterOf(ResourceName resource) {
        CRC32 hash = new CRC32();
        hash.update(resource.text().getBytes(StandardCharsets.UTF_8));
        return fence + hash.getValue() % COUNTERS + "/";
    }
}
