package io.quorumlock.lock;

/** The admission class of a request in the request limiter. */
public enum RequestClass {
    /** Acquires and reads. They are rejected first under load. */
    OPEN,
    /** Extensions and releases. Rejecting them would lose a lease in use, or keep one that is no longer needed. */
    RESERVED
}
