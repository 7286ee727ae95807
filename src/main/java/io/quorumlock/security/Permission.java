package io.quorumlock.security;

import java.util.Optional;

/** Is whether a client may do something. */
public sealed interface Permission {

    /** Is a yes. */
    record Allowed() implements Permission {}

    /** Is a no: the key has no rule that allows it, or was taken out of the file meanwhile. */
    record Denied(KeyId key) implements Permission {}

    /** Is the only yes there is. */
    Permission ALLOWED = new Allowed();

    static Permission of(boolean allowed, KeyId key) {
        return allowed ? ALLOWED : new Denied(key);
    }

    /** Names whose no it is. */
    default Optional<KeyId> deniedTo() {
        return this instanceof Denied denied ? Optional.of(denied.key()) : Optional.empty();
    }
}
