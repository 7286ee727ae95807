package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Optional;

/** Is who makes a request, and what that one may do at the moment of asking. */
public sealed interface Caller permits AnonymousCaller, KeyCaller {

    Permission may(Verb verb, ResourceName resource);

    /** Says whether the verb is allowed on all names that begin so. */
    Permission mayAll(Verb verb, ResourcePrefix prefix);

    /** Says whether the verb is allowed on what has no name, the service itself: by the rule of the empty prefix. */
    Permission mayOverall(Verb verb);

    /** Takes a place among those who wait. */
    WaitPermission enterToWait();

    /** Names the key, if any was needed. */
    Optional<KeyId> key();
}
