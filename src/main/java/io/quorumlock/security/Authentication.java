package io.quorumlock.security;

import java.time.Duration;

/** The outcome of an authentication. */
public sealed interface Authentication {

    record Admitted(Caller caller) implements Authentication {}

    /**
     * The key is unknown, or has another id.
     *
     * @param last whether further attempts from the address are rejected for now
     */
    record WrongKey(boolean last) implements Authentication {}

    /** The key was not checked, after too many wrong keys from the same address. */
    record TooManyWrongKeys(Duration left) implements Authentication {}

    /** The key exceeded its quota of requests. */
    record OverQuota(KeyId key, Duration left) implements Authentication {}
}
