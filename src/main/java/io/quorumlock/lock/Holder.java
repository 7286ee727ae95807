package io.quorumlock.lock;

/** The holder of a resource that the caller does not hold. */
public enum Holder {
    NOBODY,
    ANOTHER
}
