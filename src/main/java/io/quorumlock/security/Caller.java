package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.security.Principal;
import java.util.Optional;

/** The sender of a request, with its current permissions. */
public sealed interface Caller extends Principal permits AnonymousCaller, KeyCaller {

    Permission may(Verb verb, ResourceName resource);

    /** Returns whether the verb is allowed on all names with the prefix. */
    Permission mayAll(Verb verb, ResourcePrefix prefix);

    /** Returns whether the verb is allowed on the service itself. The rule of the empty prefix decides. */
    Permission mayOverall(Verb verb);

    /** Takes one of the places for waiting requests. */
    WaitPermission enterToWait();

    /** Returns the id of the key, unless authentication is off. */
    Optional<KeyId> key();
}
