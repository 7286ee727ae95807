package io.quorumlock.security;

import java.util.Optional;

/** The outcome of an authorization. */
public sealed interface Permission {

    record Allowed() implements Permission {}

    /** The key has no rule that allows it, or was removed from the file. */
    record Denied(KeyId key) implements Permission {}

    Permission ALLOWED = new Allowed();

    static Permission of(boolean allowed, KeyId key) {
        return allowed ? ALLOWED : new Denied(key);
    }

    /** Returns the id of the denied key, if denied. */
    default Optional<KeyId> deniedTo() {
        return this instanceof Denied denied ? Optional.of(denied.key()) : Optional.empty();
    }
}
