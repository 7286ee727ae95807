// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * The number of clients that may hold a resource at the same time: one, any number that share it, or as many as a semaphore
 * has slots.
 *
 * @param slots of a semaphore; zero for other kinds
 */
public record LockKind(Type type, int slots) {
    public static final int MOST_SLOTS = 64;
    public static final LockKind EXCLUSIVE = new LockKind(Type.EXCLUSIVE, 0);
    public static final LockKind SHARED = new LockKind(Type.SHARED, 0);

    /** A type of lock. */
    public enum Type {
        EXCLUSIVE,
        SHARED,
        SLOTS
    }

    /** @param number of slots, 1 to {@link #MOST_SLOTS} */
    public static LockKind ofSlots(int number) {
        return new LockKind(Type.SLOTS, number);
    }

    public boolean isExclusive() {
        return type == Type.EXCLUSIVE;
    }
}
