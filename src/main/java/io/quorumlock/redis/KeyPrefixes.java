package io.quorumlock.redis;

/**
 * Is what goes before a resource's name in the keys on every node.
 *
 * @param lock before the lock; empty to share locks with other Redlock clients
 * @param fence before the counter of the fencing token; not empty and not {@code lock}, or a lock could be a counter
 */
public record KeyPrefixes(String lock, String fence) {

    public KeyPrefixes {
        if (fence.isEmpty() || fence.equals(lock)) {
            throw new IllegalArgumentException("fence prefix must not be empty or the lock prefix");
        }
    }
}
