package io.quorumlock.redis;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * Is what the keys on every node begin with, and names the keys of a resource.
 *
 * @param lock before the lock; empty to share locks with other Redlock clients
 * @param fence before a counter of fencing tokens; not empty and not {@code lock}, or a lock could be a counter
 */
public record KeyPrefixes(String lock, String fence) {
    /** Bounds the counters (R14): resources share them, a counter only has to grow. The same on every replica, for ever. */
    private static final int COUNTERS = 1 << 16;

    private static final String RELEASES = "quorumlock:released:";
    private static final String BEATS = "quorumlock:beat:";

    public KeyPrefixes {
        if (fence.isEmpty() || fence.equals(lock)) {
            throw new IllegalArgumentException("fence prefix must not be empty or the lock prefix");
        }
    }

    String lockOf(ResourceName resource) {
        return lock + resource.text();
    }

    /** Names the channel on which a node announces that the lock was deleted. */
    String releasesOf(ResourceName resource) {
        return RELEASES + lockOf(resource);
    }

    /** Names the channel for the beats of one holder: whoever reads it cannot read the token, nor make another's. */
    String beatsOf(ResourceName resource, LeaseToken token) {
        byte[] secret = (token.text() + " " + lockOf(resource)).getBytes(StandardCharsets.UTF_8);
        return BEATS + HexFormat.of().formatHex(sha256().digest(secret));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names the counter; the slash at its end makes it a name that no resource can have. */
    String counterOf(ResourceName resource) {
        CRC32 hash = new CRC32();
        hash.update(resource.text().getBytes(StandardCharsets.UTF_8));
        return fence + hash.getValue() % COUNTERS + "/";
    }
}
