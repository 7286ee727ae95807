package io.quorumlock.faults;

/** Is what a client asks for. */
enum Operation {
    ACQUIRE,
    EXTEND,
    RELEASE
}
