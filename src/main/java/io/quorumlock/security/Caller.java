// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.security.Principal;
import java.util.Optional;

/** The sender of a request, with its current permissions. */
public interface Caller extends Principal {

    Permission may(Verb verb, ResourceName resource);

    /** Returns whether the verb is allowed on all names with the prefix. */
    Permission mayAll(Verb verb, ResourcePrefix prefix);

    /** Returns whether the verb is allowed on the service itself. The rule of the empty prefix decides. */
    Permission mayOverall(Verb verb);

    /** Takes one of the places for waiting requests. */
    PlacePermission enterToWait();

    /** Takes one of the places for event streams and sessions. */
    PlacePermission enterStream();

    /** Returns the id of the key, unless authentication is off. */
    Optional<KeyId> key();

    /** The outcome of a request for one of a limited number of places. */
    sealed interface PlacePermission {

        /** @param leave releases the place; further calls have no effect */
        record Place(Runnable leave) implements PlacePermission {}

        /** @param most the limit, which is reached */
        record Full(int most) implements PlacePermission {}
    }

    /** The outcome of an authorization. */
    sealed interface Permission {

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
}
