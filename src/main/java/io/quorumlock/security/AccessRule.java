package io.quorumlock.security;

import io.quorumlock.lock.ResourcePrefix;
import java.util.Set;

/**
 * The verbs that are allowed on the names with a prefix.
 *
 * @param verbs may be empty, to forbid what a shorter prefix allows
 */
record AccessRule(ResourcePrefix prefix, Set<Verb> verbs) {
    AccessRule {
        verbs = Set.copyOf(verbs);
    }

    boolean allows(Verb verb) {
        return verbs.contains(verb);
    }
}
