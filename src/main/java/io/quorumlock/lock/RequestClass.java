package io.quorumlock.lock;

/** Says which places on a replica a request may take. */
public enum RequestClass {
    /** For acquires and reads: they may be turned away, because nothing was done yet. */
    OPEN,
    /** For extensions and releases: turned away, they would leave a lease that is lost or that nobody needs. */
    RESERVED
}
