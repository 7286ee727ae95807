package io.quorumlock.faults;

/** A kind of call, or of what a client hears. */
enum Operation {
    ACQUIRE,
    EXTEND,
    RELEASE,
    /** A release by force, of whatever lease stands. */
    BREAK,
    /** The opening of a session, and the lease with which it begins. */
    SESSION,
    /** A later event of a session, with the moment at which the session was asked for. */
    EVENT
}
