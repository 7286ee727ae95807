package io.quorumlock.security;

import io.quorumlock.lock.ResourcePrefix;
import java.util.Set;

/**
 * The verbs that are allowed on the names with a prefix.
 *
 * @param verbs empty to exclude names from a rule with a shorter prefix
 */
record AccessRule(ResourcePrefix prefix, Set<Verb> verbs) {
    AccessRule {
        verbs = Set.copyOf(verbs);
    }

    boolean allows(Verb verb) {
        return verbs.contains(verb);
    }
}
