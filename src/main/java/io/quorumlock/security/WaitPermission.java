package io.quorumlock.security;

/** The outcome of a request for a place to wait. */
public sealed interface WaitPermission {

    /** @param leave releases the place; further calls have no effect */
    record Place(Runnable leave) implements WaitPermission {}

    /** @param most the limit, which is reached */
    record Full(int most) implements WaitPermission {}
}
