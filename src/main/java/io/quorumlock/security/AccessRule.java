package io.quorumlock.security;

import io.quorumlock.lock.ResourcePrefix;
import java.util.Set;

/**
 * Allows verbs on the names that begin with a prefix, and nothing else on them.
 *
 * @param verbs may be none: what a shorter prefix allows, this one takes back
 */
record AccessRule(ResourcePrefix prefix, Set<Verb> verbs) {
    AccessRule {
        verbs = Set.copyOf(verbs);
    }

    boolean allows(Verb verb) {
        return verbs.contains(verb);
    }
}
