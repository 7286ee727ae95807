package io.quorumlock.security;

/** Is whether a client may wait. */
public sealed interface WaitPermission {

    /** Is a place among those who wait; {@code leave} gives it back, once. */
    record Place(Runnable leave) implements WaitPermission {}

    /** Is none: as many wait already with this key as may. */
    record Full(int most) implements WaitPermission {}
}
