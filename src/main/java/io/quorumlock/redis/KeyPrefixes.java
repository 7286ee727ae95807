// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The prefixes of the keys on every node, and the keys and channels of a resource.
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
    private static final String RELEASES = "quorumlock:released:";
    private static final String BEATS = "quorumlock:beat:";

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
     * Returns the channel of the heartbeats of one holder. It reveals no token, and cannot be computed without the
     * token.
     */
    String heartbeatsOf(ResourceName resource, LeaseToken token) {
        byte[] secret = (token.text() + " " + lockOf(resource)).getBytes(StandardCharsets.UTF_8);
        return BEATS + HexFormat.of().formatHex(sha256().digest(secret));
    }

    /**
     * Returns the Redis pattern for lock keys of names with this prefix. No character of the prefix has a special
     * meaning.
     */
    String lockPattern(String namePrefix) {
        return PATTERN_SPECIAL.matcher(lock + namePrefix).replaceAll("\\\\$0") + "*";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the key of a resource's counter. It ends in a slash, so that it cannot be the name of a resource. */
    String counterOf(ResourceName resource) {
        CRC32 hash = new CRC32();
        hash.update(resource.text().getBytes(StandardCharsets.UTF_8));
        return fence + hash.getValue() % COUNTERS + "/";
    }
}
