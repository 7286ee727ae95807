package io.quorumlock.lock;

/** The admission class of a request in the request limiter. */
public enum RequestClass {
    /** Acquires and reads: they may be rejected under load, because nothing was done yet. */
    OPEN,
    /** Extensions and releases: rejecting them would lose a lease or leave one that nobody needs. */
    RESERVED
}
