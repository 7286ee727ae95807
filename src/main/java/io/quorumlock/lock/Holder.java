package io.quorumlock.lock;

/** Tells who holds a resource when it is not the caller. */
public enum Holder {
    NOBODY,
    ANOTHER
}
